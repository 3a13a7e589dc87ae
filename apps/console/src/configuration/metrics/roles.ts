import {
  type FlagsDocument,
  type Metric,
  type MetricRoles,
  withMetric,
} from "../document/document";
import {
  emptyMetric,
  type MetricDraft,
  type MetricError,
  metricErrors,
  metricFrom,
} from "./metric-draft";

/** Placeholder for a metric that is declared with the same change. No key can have this value. */
export const NEW_METRIC = "\u0000";

/** The chosen metrics by role. */
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

/** Returns the roles as the document stores them: without empty ones. */
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

export type RolesError = MetricError | "goal";

/** `isRequired`: a new experiment or holdout must have a goal; older ones need none. */
export function rolesErrors(
  document: FlagsDocument,
  draft: RolesDraft,
  isRequired: boolean,
): readonly RolesError[] {
  if (draft.goal === NEW_METRIC) return metricErrors(document, draft.newMetric, true);
  return !draft.goal && isRequired ? ["goal"] : [];
}

/** Returns the goal metric as it will be declared, for the preview. */
export function goalMetric(document: FlagsDocument, draft: RolesDraft): Metric | undefined {
  if (draft.goal === NEW_METRIC) return metricFrom(draft.newMetric);
  return document.metrics?.find(({ key }) => key === draft.goal);
}
