import type { Metric, MetricRoles } from "../document/document";
import type { Describer } from "./describer";
import { field, setDifferences } from "./tell";

export function metricDifferences(was: Metric, is: Metric, { texts, value }: Describer) {
  return [
    ...field(texts.fields.name, was.name, is.name),
    ...field(texts.fields.description, was.description, is.description),
    ...field(
      texts.fields.direction,
      was.direction,
      is.direction,
      (value) => texts.directions[value],
    ),
    ...field(texts.fields.kind, was.kind, is.kind, (value) => texts.metricKinds[value]),
    ...field(texts.fields.denominator, was.denominator, is.denominator),
    ...field(texts.fields.measuredIn, was.unit, is.unit),
    ...field(texts.fields.min, was.min, is.min, value),
    ...field(texts.fields.max, was.max, is.max, value),
    ...field(texts.fields.cap, was.cap, is.cap, value),
  ];
}

/** Returns the differences between the metrics of an experiment or a holdout. */
export function roleDifferences(
  at: (what: string) => string,
  was: MetricRoles,
  is: MetricRoles,
  { texts: { fields } }: Describer,
) {
  return [
    ...field(at(fields.goal), was.goal, is.goal),
    ...setDifferences(at(fields.guardrails), was.guardrails ?? [], is.guardrails ?? []),
    ...setDifferences(at(fields.secondary), was.secondary ?? [], is.secondary ?? []),
  ];
}
