import {
  type Experiment,
  type FlagsDocument,
  newSalt,
  withFlag,
} from "../configuration/document/document";
import { experimentOf } from "./of-document";

/** An action on an experiment. */
export type Action =
  | { readonly kind: "start" }
  | { readonly kind: "stop" }
  | { readonly kind: "ship"; readonly winner: string }
  /** Counts from zero. With `isRedrawn`, people may get another variation. */
  | { readonly kind: "phase"; readonly isRedrawn: boolean };

export function applyAction(experiment: Experiment, action: Action): Experiment {
  const { winner: _, ...without } = experiment;
  switch (action.kind) {
    case "start":
      return { ...without, status: "running" };
    case "stop":
      return { ...without, status: "stopped" };
    case "ship":
      return { ...experiment, status: "shipped", winner: action.winner };
    case "phase":
      return {
        ...without,
        status: "running",
        phase: experiment.phase + 1,
        ...(action.isRedrawn && {
          seed: newSalt(),
          bucketVersion: experiment.bucketVersion + 1,
        }),
      };
  }
}

/** Returns the document after an action; unchanged if the experiment no longer exists. */
export function documentAfter(document: FlagsDocument, key: string, action: Action): FlagsDocument {
  const placed = experimentOf(document, key);
  if (!placed) return document;
  const experiment = applyAction(placed.experiment, action);
  const rules = placed.flag.rules.map((rule) =>
    rule.id === placed.rule.id ? { ...rule, serve: { experiment } } : rule,
  );
  return withFlag(document, { ...placed.flag, rules });
}
