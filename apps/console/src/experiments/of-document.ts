import type { Experiment, Flag, FlagsDocument, Rule } from "../configuration/document/document";

/** An experiment with its flag and its rule. */
export interface Placed {
  readonly flag: Flag;
  readonly rule: Rule;
  readonly experiment: Experiment;
}

export function experimentsOf(document: FlagsDocument): readonly Placed[] {
  return document.flags.flatMap((flag) =>
    flag.rules.flatMap((rule) =>
      "experiment" in rule.serve ? [{ flag, rule, experiment: rule.serve.experiment }] : [],
    ),
  );
}

export const experimentOf = (document: FlagsDocument, key: string): Placed | undefined =>
  experimentsOf(document).find(({ experiment }) => experiment.key === key);

/** Returns the arms in use, in the order of the flag's variations. */
export function armsOf({ flag, experiment }: Pick<Placed, "flag" | "experiment">) {
  return flag.variations
    .map(({ key }) => ({ key, weight: experiment.weights[key] ?? 0 }))
    .filter(({ weight }) => weight > 0);
}
