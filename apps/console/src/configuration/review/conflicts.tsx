import { useId, useMemo } from "react";
import type { FlagsDocument } from "../document/document";
import { Differences } from "./change-list";
import { changesBetween } from "./changes";
import { type Conflict, conflictId, type Side } from "./merge-query";
import styles from "./review.module.css";
import { useReviewTexts } from "./texts/texts";
import { useDescriber } from "./use-describer";

interface ConflictsProps {
  readonly conflicts: readonly Conflict[];
  readonly sides: Readonly<Record<string, Side>>;
  readonly onChoose: (id: string, side: Side) => void;
}

/** Shows conflicting changes next to each other, to choose one of each. */
export function Conflicts({ conflicts, sides, onChoose }: ConflictsProps) {
  const texts = useReviewTexts();
  return conflicts.map((conflict) => {
    const id = conflictId(conflict);
    return (
      <fieldset key={id} className={styles.conflict}>
        <legend>
          {texts.bothChanged} {texts.sections[conflict.section]}{" "}
          <bdi className="mono">{conflict.key}</bdi>
          {conflict.part && <Part conflict={conflict} />}
        </legend>
        <div className={styles.conflictSides}>
          {(["theirs", "mine"] as const).map((side) => (
            <OneSide
              key={side}
              conflict={conflict}
              side={side}
              isChosen={sides[id] === side}
              onChoose={() => onChoose(id, side)}
            />
          ))}
        </div>
      </fieldset>
    );
  });
}

function OneSide(props: {
  readonly conflict: Conflict;
  readonly side: Side;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  const { conflict, side, isChosen, onChoose } = props;
  const texts = useReviewTexts();
  const name = useId();
  const change = useChange(conflict, side);
  return (
    <label>
      <span className={styles.sideName}>
        <input type="radio" name={name} checked={isChosen} onChange={onChoose} />
        {texts.sides[side]}
      </span>
      {change && change.how !== "changed" && <span>{texts.how[change.how]}</span>}
      {change && <Differences differences={change.differences} />}
    </label>
  );
}

/** The name of the part that both have changed, as used in the change. */
function Part({ conflict }: { readonly conflict: Conflict }) {
  const [theirs, mine] = [useChange(conflict, "theirs"), useChange(conflict, "mine")];
  const [difference] = [...(theirs?.differences ?? []), ...(mine?.differences ?? [])];
  return <>, {difference?.place ?? conflict.part}</>;
}

function useChange(conflict: Conflict, side: Side) {
  const describer = useDescriber();
  return useMemo(() => {
    const only = (item: Conflict[Side]) =>
      ({ ...EMPTY, [conflict.section]: item ? [item] : [] }) as FlagsDocument;
    return changesBetween(only(conflict.base), only(conflict[side]), describer)[0];
  }, [conflict, side, describer]);
}

const EMPTY: FlagsDocument = {
  schema: "musette.flags/1",
  environment: "",
  version: 0,
  attributes: [],
  segments: [],
  layers: [],
  holdouts: [],
  flags: [],
};
