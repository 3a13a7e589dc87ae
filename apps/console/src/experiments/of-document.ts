import type { Experiment, Flag, FlagsDocument, Rule } from "../configuration/document/document";

/** An experiment where it stands: in a rule of a flag. */
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

/** The arms that are drawn, in the order of the flag's variations. */
export function armsOf({ flag, experiment }: Pick<Placed, "flag" | "experiment">) {
  return flag.variations
    .map(({ key }) => ({ key, weight: experiment.weights[key] ?? 0 }))
    .filter(({ weight }) => weight > 0);
}
