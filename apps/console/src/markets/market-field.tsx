import { useQuery } from "@tanstack/react-query";
import { isInside, type Task } from "../api/grants";
import { useOnlyWithin } from "../api/use-may";
import { useLanguage } from "../language/language-context";
import { Field } from "../ui/field";
import { isMarketCode } from "./code";
import { marketsQuery } from "./markets-query";
import { useMarketsTexts } from "./texts/texts";

interface MarketFieldProps {
  readonly label?: string;
  readonly hint?: string;
  readonly id?: string;
  /** A person whose roles are limited to some markets is only offered those, with an explanation. */
  readonly task: Task;
  readonly value: string;
  readonly onChange: (market: string) => void;
  readonly error?: string | undefined;
  readonly disabled?: boolean;
}

/**
 * A field for a market code, with the declared markets as suggestions. A country needs no
 * declaration.
 */
export function MarketField({ label, hint, error, task, ...field }: MarketFieldProps) {
  const texts = useMarketsTexts();
  const { tag } = useLanguage().language;
  const codes = (useQuery(marketsQuery).data ?? []).map(({ code }) => code);
  const within = useOnlyWithin(task);
  const isMine = (code: string) => within.some((mine) => isInside(code, mine));
  const list = new Intl.ListFormat(tag, { type: "disjunction" });
  const theirs = () => {
    if (field.value === "") return texts.needed;
    return isMine(field.value) ? undefined : texts.outside;
  };
  const isCode = field.value === "" || isMarketCode(field.value);
  const own = isCode ? within.length > 0 && theirs() : texts.noCode;
  const isNarrowed = within.length > 0;
  return (
    <Field
      {...field}
      label={label ?? texts.market}
      hint={isNarrowed ? texts.only(list.format(within)) : (hint ?? texts.codeHint)}
      error={own || error}
      options={isNarrowed ? [...new Set([...within, ...codes.filter(isMine)])] : codes}
      required={false}
      dir="ltr"
      maxLength={48}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
    />
  );
}
