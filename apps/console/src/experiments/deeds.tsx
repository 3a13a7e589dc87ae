import { Button } from "@musette/react/ui";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Tagged } from "../api/client";
import type { FlagsDocument } from "../configuration/document/document";
import { ReviewDialog } from "../configuration/review/review-dialog";
import { useSaved } from "../configuration/save/use-saved";
import { PhaseDialog, ShipDialog } from "./deed-dialog";
import { type Deed, documentAfter } from "./lifecycle";
import { armsOf, type Placed } from "./of-document";
import { useExperimentsTexts } from "./texts/texts";

interface DeedsProps {
  readonly env: string;
  readonly base: Tagged<FlagsDocument>;
  readonly placed: Placed;
  readonly winners: readonly string[];
}

/** Start, stop, ship, new phase: each is a change of the document, looked at before it is saved. */
export function Deeds({ env, base, placed, winners }: DeedsProps) {
  const words = useExperimentsTexts();
  const say = useSaved(env, words.deeds.saved);
  const [asking, setAsking] = useState<"ship" | "phase">();
  const [deed, setDeed] = useState<Deed>();
  const { experiment } = placed;
  const close = () => setAsking(undefined);
  const choose = (chosen: Deed) => {
    close();
    setDeed(chosen);
  };
  const saved = (version: number) => {
    setDeed(undefined);
    say(version);
  };
  return (
    <div className="page-actions">
      <Link
        to="/experiments/$key/edit"
        params={{ key: experiment.key }}
        className="mu-button"
        data-kind="secondary"
      >
        {words.edit}
      </Link>
      <DeedButtons placed={placed} onDeed={setDeed} onAsk={setAsking} />
      <ShipDialog
        open={asking === "ship"}
        arms={armsOf(placed).map(({ key }) => key)}
        winners={winners}
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
        onClose={() => setDeed(undefined)}
        onSaved={saved}
      />
    </div>
  );
}

function DeedButtons(props: {
  readonly placed: Placed;
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
        <Button onClick={() => props.onAsk("ship")}>{deeds.ship}</Button>
      </>
    );
  }
  return (
    <>
      {phase}
      <Button kind="secondary" onClick={() => props.onDeed({ kind: "start" })}>
        {deeds.startAgain}
      </Button>
      {status === "stopped" && <Button onClick={() => props.onAsk("ship")}>{deeds.ship}</Button>}
    </>
  );
}
