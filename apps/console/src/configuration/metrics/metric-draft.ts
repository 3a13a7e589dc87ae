import type { FlagsDocument, Metric } from "../document/document";

/** A metric in the form. The bounds are the typed texts. */
export interface MetricDraft {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly direction: Metric["direction"];
  readonly kind: Metric["kind"];
  readonly denominator: string;
  readonly unit: string;
  readonly min: string;
  readonly max: string;
  readonly cap: string;
}

export const emptyMetric: MetricDraft = {
  key: "",
  name: "",
  description: "",
  direction: "increase",
  kind: "conversion",
  denominator: "",
  unit: "",
  min: "",
  max: "",
  cap: "",
};

export function metricDraftOf(metric: Metric): MetricDraft {
  const { min, max, cap, ...rest } = metric;
  const typed = (value: number | undefined) => (value === undefined ? "" : String(value));
  return { ...emptyMetric, ...rest, min: typed(min), max: typed(max), cap: typed(cap) };
}

export function metricFrom(draft: MetricDraft): Metric {
  const text = (name: "name" | "description" | "unit") =>
    draft[name].trim() && { [name]: draft[name].trim() };
  const bound = (name: "min" | "max" | "cap") =>
    draft[name].trim() && { [name]: Number(draft[name]) };
  return {
    key: draft.key.trim(),
    ...text("name"),
    ...text("description"),
    direction: draft.direction,
    kind: draft.kind,
    ...(draft.kind === "ratio" && { denominator: draft.denominator }),
    ...text("unit"),
    ...bound("min"),
    ...bound("max"),
    ...bound("cap"),
  } as Metric;
}

export type MetricError =
  | "metricKey"
  | "metricKeyForm"
  | "metricKeyTaken"
  | "denominator"
  | "number"
  | "range"
  | "cap";

const KEY = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Reports errors that the server would return as well. The server checks everything again. */
export function metricErrors(
  { metrics = [] }: Pick<FlagsDocument, "metrics">,
  draft: MetricDraft,
  isNew: boolean,
): readonly MetricError[] {
  const errors: MetricError[] = [];
  const key = draft.key.trim();
  if (!key) errors.push("metricKey");
  else if (isNew && !KEY.test(key)) errors.push("metricKeyForm");
  else if (isNew && metrics.some((metric) => metric.key === key)) errors.push("metricKeyTaken");
  const divisors = metrics.filter((metric) => metric.kind !== "ratio" && metric.key !== key);
  if (draft.kind === "ratio" && !divisors.some((divisor) => divisor.key === draft.denominator)) {
    errors.push("denominator");
  }
  const [min, max, cap] = [draft.min, draft.max, draft.cap].map((typed) =>
    typed.trim() ? Number(typed) : undefined,
  );
  if ([min, max, cap].some((bound) => bound !== undefined && !Number.isFinite(bound)))
    errors.push("number");
  else if (min !== undefined && max !== undefined && min > max) errors.push("range");
  else if (cap !== undefined && cap <= 0) errors.push("cap");
  return errors;
}
