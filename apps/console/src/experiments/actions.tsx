import { Button } from "@musette/react/ui";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Tagged } from "../api/client";
import type { FlagsDocument } from "../configuration/document/document";
import { ReviewDialog } from "../configuration/review/review-dialog";
import { useSaved } from "../configuration/save/use-saved";
import styles from "../results/experiments.module.css";
import type { Warning } from "../results/results-query";
import { ForRoles } from "../ui/for-roles";
import pageStyles from "../ui/page.module.css";
import { PhaseDialog, ShipDialog } from "./action-dialogs";
import { type NewDecision, useDecide } from "./decisions-query";
import { type Action, documentAfter } from "./lifecycle";
import { armsOf, type PlacedExperiment } from "./of-document";
import { useExperimentsTexts } from "./texts/texts";

interface ActionsProps {
  readonly env: string;
  readonly base: Tagged<FlagsDocument>;
  readonly placed: PlacedExperiment;
  readonly winners: readonly string[];
  /** Why differences are not valid; undefined if they are. */
  readonly unreadable: Warning | undefined;
}

/**
 * Actions: start, stop, ship, and new phase. Each is a change of the document, which is reviewed
 * before it is saved.
 */
export function Actions({ env, base, placed, winners, unreadable }: ActionsProps) {
  const texts = useExperimentsTexts();
  const say = useSaved(env, texts.actions.saved);
  const [asking, setAsking] = useState<"ship" | "phase">();
  const [action, setAction] = useState<Action>();
  const { experiment } = placed;
  const deciding = useDecide(env, experiment.key);
  const close = () => setAsking(undefined);
  const choose = (chosen: Action) => {
    close();
    setAction(chosen);
  };
  const saved = (version: number, reason: string) => {
    setAction(undefined);
    say(version);
    const decision = action && decisionOf(action, reason);
    if (decision) deciding.mutate(decision);
  };
  return (
    <>
      <div className={pageStyles.actions}>
        <ForRoles task="flags" scope={env}>
          <Link
            to="/experiments/$key/edit"
            params={{ key: experiment.key }}
            className="mu-button"
            data-kind="secondary"
          >
            {texts.edit}
          </Link>
          <ActionButtons
            placed={placed}
            isUnreadable={unreadable !== undefined}
            onAction={setAction}
            onAsk={setAsking}
          />
        </ForRoles>
      </div>
      {/* Not among the buttons: a long text would move them to another row. */}
      {unreadable && isShippable(placed) && (
        <p id={NOT_SHIPPED} className={`note ${styles.notShipped}`}>
          {texts.actions.unreadable[unreadable]}
        </p>
      )}
      {deciding.isError && (
        <p className="failure" role="alert">
          {texts.decisions.notRecorded}
        </p>
      )}
      <ShipDialog
        open={asking === "ship"}
        arms={armsOf(placed).map(({ key }) => key)}
        winners={winners}
        warning={unreadable && texts.actions.unreadable[unreadable]}
        onClose={close}
        onChoose={choose}
      />
      <PhaseDialog open={asking === "phase"} onClose={close} onChoose={choose} />
      <ReviewDialog
        open={action !== undefined}
        environment={env}
        base={base}
        document={action ? documentAfter(base.body, experiment.key, action) : base.body}
        {...(action && { title: texts.actions[action.kind] })}
        isCommentRequired={action?.kind === "ship" || action?.kind === "stop"}
        onClose={() => setAction(undefined)}
        onSaved={saved}
      />
    </>
  );
}

/**
 * Returns the decision to record for an action. Starting and starting a new phase are not based on
 * results, so they record none.
 */
function decisionOf(action: Action, reason: string): NewDecision | undefined {
  if (action.kind === "ship") return { decision: "ship", variation: action.winner, reason };
  return action.kind === "stop" ? { decision: "stop", reason } : undefined;
}

/** The id of the text that says why shipping is disabled. */
const NOT_SHIPPED = "not-shipped";

const isShippable = ({ experiment: { status } }: PlacedExperiment) =>
  status === "running" || status === "stopped";

function ActionButtons(props: {
  readonly placed: PlacedExperiment;
  readonly isUnreadable: boolean;
  readonly onAction: (action: Action) => void;
  readonly onAsk: (asking: "ship" | "phase") => void;
}) {
  const { actions } = useExperimentsTexts();
  const { status } = props.placed.experiment;
  const phase = (
    <Button kind="secondary" onClick={() => props.onAsk("phase")}>
      {actions.phase}
    </Button>
  );
  const ship = (
    <Button
      kind={props.isUnreadable ? "secondary" : "primary"}
      aria-describedby={props.isUnreadable ? NOT_SHIPPED : undefined}
      onClick={() => props.onAsk("ship")}
    >
      {actions.ship}
    </Button>
  );
  if (status === "draft") {
    return <Button onClick={() => props.onAction({ kind: "start" })}>{actions.start}</Button>;
  }
  if (status === "running") {
    return (
      <>
        {phase}
        <Button kind="secondary" onClick={() => props.onAction({ kind: "stop" })}>
          {actions.stop}
        </Button>
        {ship}
      </>
    );
  }
  return (
    <>
      {phase}
      <Button kind="secondary" onClick={() => props.onAction({ kind: "start" })}>
        {actions.startAgain}
      </Button>
      {status === "stopped" && ship}
    </>
  );
}
