import type { Experiment, FlagsDocument, MetricRoles } from "../configuration/document/document";

export type Role = "goal" | "guardrail" | "secondary";

/** An object that refers to a metric, and the metric's role. */
export interface MetricUse {
  readonly kind: "experiment" | "holdout";
  readonly key: string;
  readonly role: Role;
}

function roleOf(roles: MetricRoles, metric: string): Role | undefined {
  if (roles.goal === metric) return "goal";
  if (roles.guardrails?.includes(metric)) return "guardrail";
  return roles.secondary?.includes(metric) ? "secondary" : undefined;
}

/** In an older document, the primary metric is the goal if there is no goal. */
const rolesOf = ({ goal, primaryMetric, ...others }: Experiment): MetricRoles => {
  const decides = goal ?? primaryMetric;
  return decides ? { ...others, goal: decides } : others;
};

export function usesOfMetric(document: FlagsDocument, metric: string): readonly MetricUse[] {
  const experiments = document.flags.flatMap(({ rules }) =>
    rules.flatMap(({ serve }) => {
      const experiment = "experiment" in serve ? serve.experiment : undefined;
      const role = experiment && roleOf(rolesOf(experiment), metric);
      return role ? [{ kind: "experiment" as const, key: experiment.key, role }] : [];
    }),
  );
  const holdouts = document.holdouts.flatMap((holdout) => {
    const role = roleOf(holdout, metric);
    return role ? [{ kind: "holdout" as const, key: holdout.key, role }] : [];
  });
  return [...experiments, ...holdouts];
}

/** Returns the ratios that have this metric as denominator. */
export const ratiosOf = ({ metrics = [] }: FlagsDocument, metric: string): readonly string[] =>
  metrics.filter(({ denominator }) => denominator === metric).map(({ key }) => key);
