import { Button } from "@musette/react/ui";
import { useShortcut } from "../keyboard/use-shortcut";
import { useMoment } from "../language/use-moment";
import styles from "./evaluations.module.css";
import { ProblemText, problemCode } from "./problem-text";
import { useEvaluationsTexts } from "./texts/texts";
import type { AssignmentState } from "./use-assignment";

/** Shows which reviewer works on the discussion and until when. It can be taken, taken over and ended. */
export function AssignmentBar({ assignment }: { readonly assignment: AssignmentState }) {
  const texts = useEvaluationsTexts();
  const moment = useMoment();
  const { holder, take, end, isBusy, error } = assignment;
  useShortcut({ key: "m", label: texts.assignToMe, run: take });
  const isKnown = ["assigned", "conflict"].includes(problemCode(error) ?? "");
  return (
    <div className={styles.assignment} data-holder={holder.kind}>
      <p role="status">
        {holder.kind === "none" && texts.notAssigned}
        {holder.kind === "me" && texts.assignedToMe(moment(holder.assignment.until))}
        {holder.kind === "other" &&
          texts.assignedTo(
            `\u2068${holder.assignment.user_id}\u2069`,
            moment(holder.assignment.until),
          )}
      </p>
      {holder.kind === "me" ? (
        <Button kind="secondary" loading={isBusy} onClick={end}>
          {texts.endAssignment}
        </Button>
      ) : (
        <Button kind="secondary" loading={isBusy} onClick={take}>
          {holder.kind === "other" ? texts.takeOver : texts.assignToMe}
        </Button>
      )}
      {!isKnown && <ProblemText error={error} />}
    </div>
  );
}
