import type { Wire } from "../../api/wire";

export type { Json } from "../../api/wire";

/** The configuration of one environment (`/schemas/flags-1.json`), with defaults filled in. */
export type FlagsDocument = Wire<"FlagConfiguration">;
export type Attribute = Wire<"FlagAttribute">;
export type AttributeType = Attribute["type"];
export type Segment = Wire<"FlagSegment">;
export type Condition = Wire<"FlagCondition">;
export type Test = Wire<"FlagTest">;
export type Operator = Wire<"FlagOperator">;
export type Layer = Wire<"FlagLayer">;
export type Holdout = Wire<"FlagHoldout">;
export type HoldoutStatus = Holdout["status"];
export type Metric = Wire<"FlagMetric">;
export type MetricKind = Metric["kind"];
/** The keys of the goal, guardrail and secondary metrics. */
export type MetricRoles = Wire<"MetricRolesBody">;
export type Flag = Wire<"Flag">;
export type FlagType = Flag["type"];
export type Variation = Wire<"FlagVariation">;
export type Prerequisite = Wire<"FlagPrerequisite">;
export type Override = Wire<"FlagOverride">;
export type Rule = Wire<"FlagRule">;
export type Serve = Wire<"FlagServe">;
export type Rollout = Wire<"FlagRollout">;
export type Step = Wire<"FlagStep">;
export type Experiment = Wire<"FlagExperiment">;
export type ExperimentStatus = Experiment["status"];

/** Replaces the flag with the same key, or appends it. */
export function withFlag(document: FlagsDocument, flag: Flag): FlagsDocument {
  return { ...document, flags: replaced(document.flags, flag) };
}

export function withoutFlag(document: FlagsDocument, key: string): FlagsDocument {
  return { ...document, flags: document.flags.filter((flag) => flag.key !== key) };
}

export function withSegment(document: FlagsDocument, segment: Segment): FlagsDocument {
  return { ...document, segments: replaced(document.segments, segment) };
}

export function withHoldout(document: FlagsDocument, holdout: Holdout): FlagsDocument {
  return { ...document, holdouts: replaced(document.holdouts, holdout) };
}

export function withLayer(document: FlagsDocument, layer: Layer): FlagsDocument {
  return { ...document, layers: replaced(document.layers, layer) };
}

export function withMetric(document: FlagsDocument, metric: Metric): FlagsDocument {
  return { ...document, metrics: replaced(document.metrics ?? [], metric) };
}

export function withoutMetric(document: FlagsDocument, key: string): FlagsDocument {
  const { metrics = [], ...others } = document;
  const remaining = metrics.filter((metric) => metric.key !== key);
  // A document without metrics omits this member.
  return remaining.length > 0 ? { ...others, metrics: remaining } : others;
}

function replaced<T extends { readonly key: string }>(list: readonly T[], one: T): readonly T[] {
  return list.some(({ key }) => key === one.key)
    ? list.map((item) => (item.key === one.key ? one : item))
    : [...list, one];
}

/** Returns a random salt, which makes assignments independent of others. It is never edited. */
export function newSalt(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(4));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
