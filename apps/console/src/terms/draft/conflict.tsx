import { Button, Modal } from "@musette/react/ui";
import { useState } from "react";
import { useLanguage } from "../../language/language-context";
import { languageName } from "../in-language";
import { useTermsTexts } from "../texts/texts";
import { useMinute } from "../use-day";
import { Choice } from "./choice";
import type { Difference, Field, Side } from "./difference";
import type { Draft } from "./draft";
import type { DraftKeeper } from "./draft-keeper";

interface ConflictProps {
  readonly keeper: DraftKeeper;
  readonly theirs: Draft;
}

/** Two people have changed one draft: for each thing that differs one of the two is chosen. */
export function Conflict({ keeper, theirs }: ConflictProps) {
  const words = useTermsTexts().draft;
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      <p className="banner">
        <Button kind="secondary" onClick={() => setOpen(true)}>
          {words.compare}
        </Button>
      </p>
      <Modal open={isOpen} onClose={() => setOpen(false)} label={words.conflictTitle}>
        <Choices key={theirs.revision} keeper={keeper} theirs={theirs} />
      </Modal>
    </>
  );
}

function Choices({ keeper, theirs }: ConflictProps) {
  const words = useTermsTexts().draft;
  const minute = useMinute();
  const all = keeper.differences(theirs);
  const [chosen, setChosen] = useState<ReadonlyMap<Field, Side>>(
    () => new Map(all.map(({ field, preferred }) => [field, preferred])),
  );
  return (
    <form
      className="conflict"
      onSubmit={(event) => {
        event.preventDefault();
        void keeper.resolve(theirs, chosen);
      }}
    >
      <h2>{words.conflictTitle}</h2>
      <p>
        {words.conflictText}{" "}
        <span className="note">
          {words.savedAt(minute(theirs.updated_at))}
          {theirs.updated_by && (
            <>
              {" · "}
              <bdi>{theirs.updated_by}</bdi>
            </>
          )}
        </span>
      </p>
      {all.map((difference) => (
        <OneChoice
          key={difference.field}
          difference={difference}
          chosen={chosen.get(difference.field) ?? difference.preferred}
          onChoose={(side) => setChosen(new Map(chosen).set(difference.field, side))}
        />
      ))}
      <div className="buttons">
        <Button type="submit">{words.saveChosen}</Button>
      </div>
    </form>
  );
}

function OneChoice(props: {
  readonly difference: Difference;
  readonly chosen: Side;
  readonly onChoose: (side: Side) => void;
}) {
  const words = useTermsTexts().draft;
  const { tag } = useLanguage().language;
  const say = useSaid();
  const { difference, chosen, onChoose } = props;
  const { field } = difference;
  const legend = isTitle(field)
    ? words.titleIn(languageName(field.slice("title:".length), tag))
    : words.fields[field];
  return (
    <Choice
      legend={legend}
      id={`conflict-${field}`}
      chosen={chosen}
      onChoose={(side) => onChoose(side === "mine" ? "mine" : "theirs")}
      options={[
        { value: "mine", words: <bdi>{say(difference, "mine")}</bdi>, hint: words.mine },
        { value: "theirs", words: <bdi>{say(difference, "theirs")}</bdi>, hint: words.theirs },
      ]}
    />
  );
}

const isTitle = (field: Field): field is `title:${string}` => field.startsWith("title:");

/** One side of a difference, as somebody reads it. */
function useSaid(): (difference: Difference, side: Side) => string {
  const words = useTermsTexts().draft;
  const { tag } = useLanguage().language;
  const minute = useMinute();
  return ({ field, ...values }, side) => {
    const value = values[side];
    if (value === undefined || value === "") return words.nothing;
    if (typeof value === "boolean") return value ? words.yes : words.no;
    if (typeof value === "number") return value.toLocaleString(tag);
    if (field === "effective_from" || field === "grace_until") return minute(value);
    return field === "default_language" ? languageName(value, tag) : value;
  };
}
