import { Button } from "@musette/react/ui";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Tagged } from "../api/client";
import { type FlagsDocument, type Holdout, withHoldout } from "../configuration/document/document";
import { ReviewDialog } from "../configuration/review/review-dialog";
import { useSaved } from "../configuration/save/use-saved";
import { ForRoles } from "../ui/for-roles";
import type { PhaseName } from "./holdouts-search";
import { useHoldoutsTexts } from "./texts/texts";

type Deed = "start" | "analysis" | "end";

const status: Readonly<Record<Deed, Holdout["status"]>> = {
  start: "running",
  analysis: "analysis",
  end: "ended",
};

const offered: Readonly<Record<PhaseName, readonly Deed[]>> = {
  draft: ["start"],
  waiting: ["end"],
  running: ["end", "analysis"],
  analysis: ["end"],
  ended: ["start"],
};

interface DeedsProps {
  readonly env: string;
  readonly base: Tagged<FlagsDocument>;
  readonly holdout: Holdout;
  readonly phase: PhaseName;
}

/** What takes a holdout to its next state, looked at before it is saved. */
export function Deeds({ env, base, holdout, phase }: DeedsProps) {
  const words = useHoldoutsTexts();
  const say = useSaved(env, words.saved);
  const [deed, setDeed] = useState<Deed>();
  // One that its schedule has ended starts by another schedule only, which is edited.
  const deeds = phase === "ended" && holdout.status !== "ended" ? [] : offered[phase];
  const saved = (version: number) => {
    setDeed(undefined);
    say(version);
  };
  return (
    <div className="page-actions">
      <ForRoles task="flags" scope={env}>
        <Link
          to="/holdouts/$key/edit"
          params={{ key: holdout.key }}
          className="mu-button"
          data-kind="secondary"
        >
          {words.edit}
        </Link>
        {deeds.map((it, at) => (
          <Button
            key={it}
            kind={at === deeds.length - 1 ? "primary" : "secondary"}
            onClick={() => setDeed(it)}
          >
            {words.deeds[it].title}
          </Button>
        ))}
      </ForRoles>
      <ReviewDialog
        open={deed !== undefined}
        environment={env}
        base={base}
        document={deed ? withHoldout(base.body, { ...holdout, status: status[deed] }) : base.body}
        {...(deed && { title: words.deeds[deed].title })}
        onClose={() => setDeed(undefined)}
        onSaved={saved}
      />
    </div>
  );
}
