import { inLanguage } from "../../language/in-language";
import { useLanguage } from "../../language/language-context";
import { Field } from "../../ui/field";
import type { PublishedTerm } from "../terms-query";
import { useTermsTexts } from "../texts/texts";
import { type DraftBody, withChanges } from "./draft";
import { fieldId } from "./errors";
import type { DraftFields } from "./fields";

interface OrderFieldProps extends Pick<DraftFields, "body" | "edit"> {
  readonly terms: readonly PublishedTerm[];
}

/**
 * Returns the term that riders see before this one. If the position is the same, the older term
 * comes first.
 */
export function termBefore(
  body: DraftBody,
  terms: readonly PublishedTerm[],
): PublishedTerm | undefined {
  return terms
    .filter(({ status, id }) => status === "active" && id !== body.replaces)
    .filter((term) => term.display_order <= (body.display_order ?? Number.POSITIVE_INFINITY))
    .sort((a, b) => a.display_order - b.display_order || a.id - b.id)
    .at(-1);
}

export function OrderField({ body, edit, terms }: OrderFieldProps) {
  const draftTexts = useTermsTexts().draft;
  const { language } = useLanguage();
  const former = termBefore(body, terms);
  const title = inLanguage(former?.variants ?? [], language.tag)?.title;
  const place = title ? draftTexts.orderAfter(title) : draftTexts.orderFirst;
  const type = (value: string) => {
    const order = Number.parseInt(value, 10);
    const isOrder = Number.isInteger(order) && order >= 0 && order <= 1_000_000;
    edit((now) => withChanges(now, { display_order: isOrder ? order : undefined }));
  };
  return (
    <Field
      label={draftTexts.orderLabel}
      hint={body.display_order === undefined ? draftTexts.orderLast : place}
      id={fieldId("/display_order")}
      type="number"
      inputMode="numeric"
      min={0}
      required={false}
      value={String(body.display_order ?? "")}
      onChange={type}
    />
  );
}
