import { Button } from "@musette/react/ui";
import { useMutation } from "@tanstack/react-query";
import { approvalRequired } from "../../api/approval-required";
import { EVERYWHERE } from "../../api/grants";
import type { ProposedAct } from "../../api/proposals";
import { useLanguage } from "../../language/language-context";
import { useMinute } from "../../language/use-day";
import { toasts } from "../../toast/toasts";
import { ForRoles } from "../../ui/for-roles";
import { ProposeInstead } from "../../ui/propose-instead";
import stateStyles from "../../ui/state.module.css";
import { FailureText } from "../../ui/states";
import styles from "../terms.module.css";
import type { PublishedTerm } from "../terms-query";
import { CancelVersion } from "./cancel-version";
import { RetireDocument } from "./retire-document";
import { useEndingTexts } from "./texts/texts";
import { useEnding } from "./use-ending";

interface TermEndingProps {
  readonly term: PublishedTerm;
  readonly title: string;
}

const isFuture = (instant: string) => new Date(instant).getTime() > Date.now();

/** Buttons to cancel or retire a version that no newer version replaces, or the state of an ended one. */
export function TermEnding({ term, title }: TermEndingProps) {
  const texts = useEndingTexts();
  const minute = useMinute();
  const { undo } = useEnding(term);
  const { status, cancelled_at: cancelled, retired_at: retired } = term;
  const scope = term.market ?? EVERYWHERE;
  if (cancelled) {
    const back = isFuture(term.effective_from) ? undo.cancellation : undefined;
    return (
      <Ended
        scope={scope}
        text={texts.isCancelled(minute(cancelled))}
        undo={back}
        act={{ act: "undo_cancellation", term_id: term.id }}
        label={texts.undoCancel}
      />
    );
  }
  if (retired && status !== "superseded") {
    return isFuture(retired) ? (
      <Ended
        scope={scope}
        text={texts.willRetire(minute(retired))}
        undo={undo.retirement}
        act={{ act: "undo_retirement", term_id: term.id }}
        label={texts.undoRetire}
      />
    ) : (
      <Ended scope={scope} text={texts.isRetired(minute(retired))} label={texts.undoRetire} />
    );
  }
  const canCancel = status === "scheduled" && term.replaced_by === undefined;
  if (!canCancel && status !== "active") return null;
  return (
    <section className={`card ${styles.termEnding}`}>
      <h2>{texts.title}</h2>
      <ForRoles task="terms" scope={scope}>
        {canCancel ? (
          <CancelVersion term={term} title={title} />
        ) : (
          <RetireDocument term={term} title={title} />
        )}
      </ForRoles>
    </section>
  );
}

function Ended(props: {
  /** The market whose roles may undo the ending. */
  readonly scope: string;
  readonly text: string;
  readonly label: string;
  readonly undo?: ((breakGlass?: string) => Promise<unknown>) | undefined;
  /** The proposal to make if undoing needs approvals. */
  readonly act?: ProposedAct;
}) {
  const endingTexts = useEndingTexts();
  const { texts } = useLanguage();
  const { act, undo } = props;
  const undoing = useMutation({ mutationFn: async () => undo?.() });
  const needsApproval = approvalRequired(undoing.error) !== undefined;
  return (
    <section className={`card ${styles.termEnding}`}>
      <h2>{endingTexts.title}</h2>
      <p className={stateStyles.state} data-state="warning">
        {props.text}
      </p>
      {props.undo && (
        <ForRoles task="terms" scope={props.scope}>
          <div>
            <Button kind="secondary" loading={undoing.isPending} onClick={() => undoing.mutate()}>
              {props.label}
            </Button>
          </div>
        </ForRoles>
      )}
      {act && undo && needsApproval && (
        <ProposeInstead
          error={undoing.error}
          act={act}
          onBreakGlass={undo}
          onProposed={() => {
            undoing.reset();
            toasts.say(texts.approval.proposed);
          }}
        />
      )}
      {undoing.isError && !needsApproval && <FailureText error={undoing.error} />}
    </section>
  );
}
