import { Button } from "@musette/react/ui";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Tagged } from "../api/client";
import { type FlagsDocument, type Holdout, withHoldout } from "../configuration/document/document";
import { ReviewDialog } from "../configuration/review/review-dialog";
import { useSaved } from "../configuration/save/use-saved";
import { ForRoles } from "../ui/for-roles";
import pageStyles from "../ui/page.module.css";
import type { PhaseName } from "./holdouts-search";
import { useHoldoutsTexts } from "./texts/texts";

type Action = "start" | "analysis" | "end";

const status: Readonly<Record<Action, Holdout["status"]>> = {
  start: "running",
  analysis: "analysis",
  end: "ended",
};

const offered: Readonly<Record<PhaseName, readonly Action[]>> = {
  draft: ["start"],
  waiting: ["end"],
  running: ["end", "analysis"],
  analysis: ["end"],
  ended: ["start"],
};

interface ActionsProps {
  readonly env: string;
  readonly base: Tagged<FlagsDocument>;
  readonly holdout: Holdout;
  readonly phase: PhaseName;
}

/** The actions that move a holdout to its next state, each with a review before it is saved. */
export function Actions({ env, base, holdout, phase }: ActionsProps) {
  const texts = useHoldoutsTexts();
  const say = useSaved(env, texts.saved);
  const [action, setAction] = useState<Action>();
  // A holdout that was ended by its schedule can only start with another schedule, which is edited.
  const actions = phase === "ended" && holdout.status !== "ended" ? [] : offered[phase];
  const saved = (version: number) => {
    setAction(undefined);
    say(version);
  };
  return (
    <div className={pageStyles.actions}>
      <ForRoles task="flags" scope={env}>
        <Link
          to="/holdouts/$key/edit"
          params={{ key: holdout.key }}
          className="mu-button"
          data-kind="secondary"
        >
          {texts.edit}
        </Link>
        {actions.map((action, at) => (
          <Button
            key={action}
            kind={at === actions.length - 1 ? "primary" : "secondary"}
            onClick={() => setAction(action)}
          >
            {texts.actions[action].title}
          </Button>
        ))}
      </ForRoles>
      <ReviewDialog
        open={action !== undefined}
        environment={env}
        base={base}
        document={
          action ? withHoldout(base.body, { ...holdout, status: status[action] }) : base.body
        }
        {...(action && { title: texts.actions[action].title })}
        onClose={() => setAction(undefined)}
        onSaved={saved}
      />
    </div>
  );
}
