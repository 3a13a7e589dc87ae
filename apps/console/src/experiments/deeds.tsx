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
import { type NewDecision, useDecide } from "./decisions-query";
import { PhaseDialog, ShipDialog } from "./deed-dialog";
import { type Deed, documentAfter } from "./lifecycle";
import { armsOf, type Placed } from "./of-document";
import { useExperimentsTexts } from "./texts/texts";

interface DeedsProps {
  readonly env: string;
  readonly base: Tagged<FlagsDocument>;
  readonly placed: Placed;
  readonly winners: readonly string[];
  /** Why no difference can be believed; undefined while there is no reason. */
  readonly unreadable: Warning | undefined;
}

/** Start, stop, ship, new phase: each is a change of the document, looked at before it is saved. */
export function Deeds({ env, base, placed, winners, unreadable }: DeedsProps) {
  const words = useExperimentsTexts();
  const say = useSaved(env, words.deeds.saved);
  const [asking, setAsking] = useState<"ship" | "phase">();
  const [deed, setDeed] = useState<Deed>();
  const { experiment } = placed;
  const deciding = useDecide(env, experiment.key);
  const close = () => setAsking(undefined);
  const choose = (chosen: Deed) => {
    close();
    setDeed(chosen);
  };
  const saved = (version: number, reason: string) => {
    setDeed(undefined);
    say(version);
    const decision = deed && decisionOf(deed, reason);
    if (decision) deciding.mutate(decision);
  };
  return (
    <div className="page-actions">
      <ForRoles task="flags" scope={env}>
        <Link
          to="/experiments/$key/edit"
          params={{ key: experiment.key }}
          className="mu-button"
          data-kind="secondary"
        >
          {words.edit}
        </Link>
        <DeedButtons
          placed={placed}
          isUnreadable={unreadable !== undefined}
          onDeed={setDeed}
          onAsk={setAsking}
        />
      </ForRoles>
      {unreadable && isShippable(placed) && (
        <p id={NOT_SHIPPED} className={`note ${styles.notShipped}`}>
          {words.deeds.unreadable[unreadable]}
        </p>
      )}
      {deciding.isError && (
        <p className="failure" role="alert">
          {words.decisions.notRecorded}
        </p>
      )}
      <ShipDialog
        open={asking === "ship"}
        arms={armsOf(placed).map(({ key }) => key)}
        winners={winners}
        warning={unreadable && words.deeds.unreadable[unreadable]}
        onClose={close}
        onChoose={choose}
      />
      <PhaseDialog open={asking === "phase"} onClose={close} onChoose={choose} />
      <ReviewDialog
        open={deed !== undefined}
        environment={env}
        base={base}
        document={deed ? documentAfter(base.body, experiment.key, deed) : base.body}
        {...(deed && { title: words.deeds[deed.kind] })}
        isCommentRequired={deed?.kind === "ship" || deed?.kind === "stop"}
        onClose={() => setDeed(undefined)}
        onSaved={saved}
      />
    </div>
  );
}

/** What is to be kept of a deed; of a start and a new phase nothing: no results led to them. */
function decisionOf(deed: Deed, reason: string): NewDecision | undefined {
  if (deed.kind === "ship") return { decision: "ship", variation: deed.winner, reason };
  return deed.kind === "stop" ? { decision: "stop", reason } : undefined;
}

/** Describes the button that would ship what cannot be believed. */
const NOT_SHIPPED = "not-shipped";

const isShippable = ({ experiment: { status } }: Placed) =>
  status === "running" || status === "stopped";

function DeedButtons(props: {
  readonly placed: Placed;
  readonly isUnreadable: boolean;
  readonly onDeed: (deed: Deed) => void;
  readonly onAsk: (asking: "ship" | "phase") => void;
}) {
  const { deeds } = useExperimentsTexts();
  const { status } = props.placed.experiment;
  const phase = (
    <Button kind="secondary" onClick={() => props.onAsk("phase")}>
      {deeds.phase}
    </Button>
  );
  const ship = (
    <Button
      kind={props.isUnreadable ? "secondary" : "primary"}
      aria-describedby={props.isUnreadable ? NOT_SHIPPED : undefined}
      onClick={() => props.onAsk("ship")}
    >
      {deeds.ship}
    </Button>
  );
  if (status === "draft") {
    return <Button onClick={() => props.onDeed({ kind: "start" })}>{deeds.start}</Button>;
  }
  if (status === "running") {
    return (
      <>
        {phase}
        <Button kind="secondary" onClick={() => props.onDeed({ kind: "stop" })}>
          {deeds.stop}
        </Button>
        {ship}
      </>
    );
  }
  return (
    <>
      {phase}
      <Button kind="secondary" onClick={() => props.onDeed({ kind: "start" })}>
        {deeds.startAgain}
      </Button>
      {status === "stopped" && ship}
    </>
  );
}
