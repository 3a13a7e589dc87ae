import { Button, Modal } from "@musette/react/ui";
import { useState } from "react";
import { inLanguage, languageName } from "../../language/in-language";
import { useLanguage } from "../../language/language-context";
import { useMinute } from "../../language/use-day";
import { useMarketName } from "../../markets/use-market-name";
import dialogStyles from "../../ui/dialog.module.css";
import pageStyles from "../../ui/page.module.css";
import type { PublishedTerm } from "../terms-query";
import { useTermsTexts } from "../texts/texts";
import { Choice } from "./choice";
import type { Difference, Field, PlainField, Side } from "./difference";
import type { Draft } from "./draft";
import styles from "./draft.module.css";
import type { DraftKeeper } from "./draft-keeper";

interface ConflictProps {
  readonly keeper: DraftKeeper;
  readonly theirs: Draft;
  /** Published versions, for the title of what it replaces. */
  readonly terms: readonly PublishedTerm[];
}

/** Resolves a conflict: two people have changed one draft, and one side is chosen for each difference. */
export function Conflict({ keeper, theirs, terms }: ConflictProps) {
  const draftTexts = useTermsTexts().draft;
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      <div className={pageStyles.actions}>
        <Button kind="secondary" onClick={() => setOpen(true)}>
          {draftTexts.compare}
        </Button>
      </div>
      <Modal open={isOpen} onClose={() => setOpen(false)} label={draftTexts.conflictTitle}>
        <Choices key={theirs.revision} {...{ keeper, theirs, terms }} />
      </Modal>
    </>
  );
}

function Choices({ keeper, theirs, terms }: ConflictProps) {
  const draftTexts = useTermsTexts().draft;
  const minute = useMinute();
  const all = keeper.differences(theirs);
  const [chosen, setChosen] = useState<ReadonlyMap<Field, Side>>(
    () => new Map(all.map(({ field, preferred }) => [field, preferred])),
  );
  return (
    <form
      className={styles.draftConflict}
      onSubmit={(event) => {
        event.preventDefault();
        void keeper.resolve(theirs, chosen);
      }}
    >
      <h2>{draftTexts.conflictTitle}</h2>
      <p>
        {draftTexts.conflictText}{" "}
        <span className="note">
          {draftTexts.savedAt(minute(theirs.updated_at))}
          {theirs.updated_by && (
            <>
              {" · "}
              <bdi>{theirs.updated_by}</bdi>
            </>
          )}
        </span>
      </p>
      {all.map((difference) => (
        <ChoiceRow
          key={difference.field}
          difference={difference}
          terms={terms}
          chosen={chosen.get(difference.field) ?? difference.preferred}
          onChoose={(side) => setChosen(new Map(chosen).set(difference.field, side))}
        />
      ))}
      <div className={dialogStyles.buttons}>
        <Button type="submit">{draftTexts.saveChosen}</Button>
      </div>
    </form>
  );
}

function ChoiceRow(props: {
  readonly difference: Difference;
  readonly terms: readonly PublishedTerm[];
  readonly chosen: Side;
  readonly onChoose: (side: Side) => void;
}) {
  const draftTexts = useTermsTexts().draft;
  const { tag } = useLanguage().language;
  const { difference, terms, chosen, onChoose } = props;
  const say = useSideText(terms);
  const { field } = difference;
  const legend = () => {
    if (!isOfLanguage(field)) return draftTexts.fields[field];
    const [name, locale = ""] = field.split(":");
    const language = languageName(locale, tag);
    return name === "title" ? draftTexts.titleIn(language) : draftTexts.summaryIn(language);
  };
  return (
    <Choice
      legend={legend()}
      id={`conflict-${field}`}
      chosen={chosen}
      onChoose={(side) => onChoose(side === "mine" ? "mine" : "theirs")}
      options={[
        { value: "mine", label: <bdi>{say(difference, "mine")}</bdi>, hint: draftTexts.mine },
        { value: "theirs", label: <bdi>{say(difference, "theirs")}</bdi>, hint: draftTexts.theirs },
      ]}
    />
  );
}

const isOfLanguage = (field: Field): field is Exclude<Field, PlainField> => field.includes(":");

/** Returns one side of a difference as text. */
function useSideText(
  terms: readonly PublishedTerm[],
): (difference: Difference, side: Side) => string {
  const { draft: draftTexts, term: inTerm } = useTermsTexts();
  const { tag } = useLanguage().language;
  const minute = useMinute();
  const marketName = useMarketName();
  return ({ field, ...values }, side) => {
    const value = values[side];
    if (field === "market") return value ? marketName(String(value)) : inTerm.everywhere;
    if (value === undefined || value === "") return draftTexts.nothing;
    if (typeof value === "boolean") return value ? draftTexts.yes : draftTexts.no;
    const isTerm = field === "replaces" || field === "instead_of";
    const term = isTerm && terms.find(({ id }) => id === value);
    if (term) return inLanguage(term.variants, tag)?.title ?? String(value);
    if (typeof value === "number") return value.toLocaleString(tag);
    if (field === "effective_from" || field === "grace_until") return minute(value);
    return field === "default_language" ? languageName(value, tag) : value;
  };
}
