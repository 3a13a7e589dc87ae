import {
  type FlagsDocument,
  type Metric,
  type MetricRoles,
  withMetric,
} from "../document/document";
import {
  emptyMetric,
  type MetricDraft,
  type MetricFault,
  metricFaults,
  metricFrom,
} from "./metric-draft";

/** Stands for a metric that is declared with the same change; no key can be this. */
export const NEW_METRIC = "\u0000";

/** Which metrics decide, as they are chosen. */
export interface RolesDraft {
  readonly goal: string;
  readonly guardrails: readonly string[];
  readonly secondary: readonly string[];
  /** Declared with the same change while `goal` is `NEW_METRIC`. */
  readonly newMetric: MetricDraft;
}

export const emptyRoles: RolesDraft = {
  goal: "",
  guardrails: [],
  secondary: [],
  newMetric: emptyMetric,
};

export const rolesDraftOf = ({ goal, guardrails, secondary }: MetricRoles): RolesDraft => ({
  ...emptyRoles,
  goal: goal ?? "",
  guardrails: guardrails ?? [],
  secondary: secondary ?? [],
});

const goalOf = ({ goal, newMetric }: RolesDraft) =>
  goal === NEW_METRIC ? newMetric.key.trim() : goal;

/** Roles as the document stores them: empty ones are left out. */
export function rolesFrom(draft: RolesDraft): MetricRoles {
  const goal = goalOf(draft);
  return {
    ...(goal && { goal }),
    ...(draft.guardrails.length > 0 && { guardrails: draft.guardrails }),
    ...(draft.secondary.length > 0 && { secondary: draft.secondary }),
  };
}

export const withNewMetric = (document: FlagsDocument, draft: RolesDraft): FlagsDocument =>
  draft.goal === NEW_METRIC ? withMetric(document, metricFrom(draft.newMetric)) : document;

export type RolesFault = MetricFault | "goal";

/** `isRequired`: every new experiment and holdout says what it is for; older ones need not. */
export function rolesFaults(
  document: FlagsDocument,
  draft: RolesDraft,
  isRequired: boolean,
): readonly RolesFault[] {
  if (draft.goal === NEW_METRIC) return metricFaults(document, draft.newMetric, true);
  return !draft.goal && isRequired ? ["goal"] : [];
}

/** The goal as it will be declared, to be told in words. */
export function goalMetric(document: FlagsDocument, draft: RolesDraft): Metric | undefined {
  if (draft.goal === NEW_METRIC) return metricFrom(draft.newMetric);
  return document.metrics?.find(({ key }) => key === draft.goal);
}
