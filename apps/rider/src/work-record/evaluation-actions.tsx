import { Button } from "@musette/react/ui";
import { useState } from "react";
import { usePageLanguage } from "../language/page-language";
import { Link } from "../router/router";
import { ActionError } from "./action-error";
import { canConfirm, contestState, type EvaluationDetail } from "./evaluation";
import { contestHref } from "./evaluation-item";
import { useAction } from "./use-action";

/** The rider's next steps: contest, or confirm that the record is right. */
export function EvaluationActions(props: {
  readonly userId: string;
  readonly evaluation: EvaluationDetail;
  readonly isContesting: boolean;
  readonly onChanged: () => void;
}) {
  const { texts } = usePageLanguage();
  const { userId, evaluation, isContesting, onChanged } = props;
  const { id, version } = evaluation;
  const { busy, error, done, run } = useAction(userId, id, onChanged);
  const mayContest = contestState(evaluation, new Date()) === "open" && !isContesting;
  const mayConfirm = canConfirm(evaluation) && !isContesting;
  return (
    <>
      {(mayContest || mayConfirm) && (
        <div className="ways">
          {mayContest && (
            <Link className="mu-button" data-kind="primary" href={contestHref(id)}>
              {texts.work.contest}
            </Link>
          )}
          {mayConfirm && (
            <Button
              kind="secondary"
              loading={busy}
              onClick={() => run({ kind: "confirm", version })}
            >
              {texts.work.confirm}
            </Button>
          )}
        </div>
      )}
      {mayConfirm && <p className="note">{texts.work.confirmText}</p>}
      <ActionError error={error} />
      <p className="work-live" role="status">
        {done && texts.work.confirmed}
      </p>
    </>
  );
}

/** Withdraws the rider's own contest, after a second press. */
export function Withdraw(props: { readonly busy: boolean; readonly onWithdraw: () => void }) {
  const { texts } = usePageLanguage();
  const [asks, setAsks] = useState(false);
  if (!asks) {
    return (
      <Button kind="quiet" onClick={() => setAsks(true)}>
        {texts.work.withdraw}
      </Button>
    );
  }
  return (
    <fieldset className="work-section work-asks">
      <legend className="mu-hidden">{texts.work.withdraw}</legend>
      <p>{texts.work.withdrawText}</p>
      <div className="ways">
        <Button kind="danger" loading={props.busy} onClick={props.onWithdraw}>
          {texts.work.withdraw}
        </Button>
        <Button kind="secondary" autoFocus onClick={() => setAsks(false)}>
          {texts.work.stay}
        </Button>
      </div>
    </fieldset>
  );
}
