import type { Experiment, Flag, FlagsDocument, Rule } from "../configuration/document/document";

/** An experiment with its flag and its rule. */
export interface PlacedExperiment {
  readonly flag: Flag;
  readonly rule: Rule;
  readonly experiment: Experiment;
}

export function experimentsOf(document: FlagsDocument): readonly PlacedExperiment[] {
  return document.flags.flatMap((flag) =>
    flag.rules.flatMap((rule) =>
      "experiment" in rule.serve ? [{ flag, rule, experiment: rule.serve.experiment }] : [],
    ),
  );
}

export const experimentOf = (document: FlagsDocument, key: string): PlacedExperiment | undefined =>
  experimentsOf(document).find(({ experiment }) => experiment.key === key);

/** Returns the arms in use, in the order of the flag's variations. */
export function armsOf({ flag, experiment }: Pick<PlacedExperiment, "flag" | "experiment">) {
  return flag.variations
    .map(({ key }) => ({ key, weight: experiment.weights[key] ?? 0 }))
    .filter(({ weight }) => weight > 0);
}
