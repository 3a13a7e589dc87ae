/** The configuration of one environment, as `/schemas/flags-1.json` has it, with its defaults filled in. */
export interface FlagsDocument {
  readonly schema: "musette.flags/1";
  readonly environment: string;
  /** Counts the changes; the server sets it. */
  readonly version: number;
  readonly attributes: readonly Attribute[];
  readonly segments: readonly Segment[];
  readonly layers: readonly Layer[];
  readonly holdouts: readonly Holdout[];
  /** Without any, a server key may report any name. */
  readonly metrics?: readonly Metric[];
  /** Whether client keys may report metrics. */
  readonly clientMetrics?: boolean;
  readonly flags: readonly Flag[];
}

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json };

export type AttributeType =
  | "string"
  | "number"
  | "boolean"
  | "semver"
  | "date"
  | "ip"
  | "string[]"
  | "number[]";

export interface Attribute {
  readonly name: string;
  readonly type: AttributeType;
  readonly description?: string;
}

export interface Segment {
  readonly key: string;
  readonly description?: string;
  readonly match: Condition;
}

export interface Test {
  readonly attr: string;
  readonly op: Operator;
  readonly value?: Json;
  readonly values?: readonly Json[];
}

export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  | { readonly segment: string }
  | Test;

export type Operator =
  | "eq"
  | "ne"
  | "in"
  | "not_in"
  | "lt"
  | "lte"
  | "gt"
  | "gte"
  | "between"
  | "contains"
  | "not_contains"
  | "starts"
  | "ends"
  | "matches"
  | "exists"
  | "semver_eq"
  | "semver_lt"
  | "semver_lte"
  | "semver_gt"
  | "semver_gte"
  | "before"
  | "after"
  | "cidr"
  | "has_any"
  | "has_all";

export interface Layer {
  readonly key: string;
  readonly description?: string;
  readonly salt: string;
  readonly slots: readonly Slot[];
}

/** The buckets from `from` up to, without, `to`; there are 100,000. */
export interface Slot {
  readonly experiment: string;
  readonly from: number;
  readonly to: number;
}

export type HoldoutStatus = "draft" | "running" | "analysis" | "ended";

export type MetricKind = "sum" | "conversion" | "mean" | "ratio";

export interface Metric {
  readonly key: string;
  readonly name?: string;
  readonly description?: string;
  /** Which way is better. */
  readonly direction: "increase" | "decrease";
  readonly kind: MetricKind;
  /** Of a ratio. */
  readonly denominator?: string;
  readonly unit?: string;
  readonly min?: number;
  readonly max?: number;
  readonly cap?: number;
}

/** Which metrics decide, by their keys. */
export interface MetricRoles {
  readonly goal?: string;
  readonly guardrails?: readonly string[];
  readonly secondary?: readonly string[];
}

export interface Holdout extends MetricRoles {
  readonly key: string;
  readonly description?: string;
  readonly salt: string;
  readonly unit: string;
  readonly percent: number;
  readonly status: HoldoutStatus;
  readonly priority: number;
  readonly scope: "experiments" | "all";
  readonly applies: {
    readonly mode: "global" | "selected";
    readonly exceptFlags: readonly string[];
    readonly flags: readonly string[];
    readonly tags: readonly string[];
  };
  readonly population: Condition | null;
  readonly schedule: {
    readonly startAt: string | null;
    readonly analysisAt: string | null;
    readonly stopAt: string | null;
  } | null;
}

export type FlagType = "boolean" | "string" | "number" | "json";

export interface Flag {
  readonly key: string;
  readonly type: FlagType;
  readonly description?: string;
  readonly on: boolean;
  readonly salt: string;
  readonly tags: readonly string[];
  readonly owner?: string;
  readonly clientVisible: boolean;
  readonly archived: boolean;
  readonly variations: readonly Variation[];
  readonly offVariation: string | null;
  readonly defaultVariation: string;
  readonly baselineVariation: string;
  readonly prerequisites: readonly Prerequisite[];
  readonly overrides: readonly Override[];
  readonly rules: readonly Rule[];
}

export interface Variation {
  readonly key: string;
  readonly value: Json;
}

export interface Prerequisite {
  readonly flag: string;
  readonly in: readonly string[];
}

export interface Override {
  readonly unit: string;
  readonly id: string;
  readonly variation: string;
}

export interface Rule {
  readonly id: string;
  readonly name?: string;
  readonly when: Condition;
  readonly serve: Serve;
}

export type Serve =
  | { readonly variation: string }
  | { readonly rollout: Rollout }
  | { readonly experiment: Experiment };

export interface Rollout {
  readonly unit: string;
  readonly steps: readonly Step[];
  readonly variation: string;
}

export interface Step {
  readonly at?: string;
  readonly percent: number;
}

export type ExperimentStatus = "draft" | "running" | "stopped" | "shipped";

export interface Experiment extends MetricRoles {
  readonly key: string;
  readonly layer?: string;
  readonly unit: string;
  readonly fallbackUnit?: string;
  readonly seed: string;
  /** Of 100,000. */
  readonly coverage: number;
  /** They sum to 100,000. */
  readonly weights: Readonly<Record<string, number>>;
  readonly sticky: boolean;
  readonly bucketVersion: number;
  readonly minBucketVersion: number;
  readonly phase: number;
  readonly status: ExperimentStatus;
  readonly winner?: string;
  readonly hypothesis?: string;
  readonly primaryMetric?: string;
}

/** The document with this flag in the place of the one of its key, or at the end. */
export function withFlag(document: FlagsDocument, flag: Flag): FlagsDocument {
  return { ...document, flags: replaced(document.flags, flag) };
}

export function withoutFlag(document: FlagsDocument, key: string): FlagsDocument {
  return { ...document, flags: document.flags.filter((it) => it.key !== key) };
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

function replaced<T extends { readonly key: string }>(list: readonly T[], one: T): readonly T[] {
  return list.some(({ key }) => key === one.key)
    ? list.map((it) => (it.key === one.key ? one : it))
    : [...list, one];
}

/** Which draws are independent of all others: made once, and never changed by hand. */
export function newSalt(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(4));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
