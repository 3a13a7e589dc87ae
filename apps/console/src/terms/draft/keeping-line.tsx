import { Button } from "@musette/react/ui";
import { dateFormat } from "../../language/date-format";
import { useLanguage } from "../../language/language-context";
import { FailureText } from "../../ui/states";
import { useTermsTexts } from "../texts/texts";
import styles from "./draft.module.css";
import type { DraftKeeper, SaveState } from "./draft-keeper";
import { shapeErrors } from "./errors";

interface KeepingLineProps {
  readonly keeping: SaveState;
  readonly wasRestored: boolean;
  readonly keeper: DraftKeeper;
}

/** Shows whether the typed text is saved, and where. */
export function KeepingLine({ keeping, wasRestored, keeper }: KeepingLineProps) {
  const draftTexts = useTermsTexts().draft;
  const { tag } = useLanguage().language;
  const time = dateFormat(tag, "clock");
  const at = keeping.kind === "saved" ? keeping.at : undefined;
  const saved = at ? draftTexts.savedAt(time.format(new Date(at))) : draftTexts.saved;
  const says = keeping.kind === "saved" ? saved : draftTexts[keeping.kind];
  const isRefused = keeping.kind === "refused" && shapeErrors(keeping).length === 0;
  return (
    <div className={styles.keeping} data-kind={keeping.kind}>
      <p role="status">
        {says}
        {wasRestored && keeping.kind !== "saved" && <span> {draftTexts.restored}</span>}
      </p>
      {isRefused && <FailureText error={keeping.error} />}
      {(keeping.kind === "offline" || isRefused) && (
        <Button kind="secondary" onClick={() => void keeper.flush()}>
          {draftTexts.saveNow}
        </Button>
      )}
    </div>
  );
}
