import type { Metric, MetricRoles } from "../document/document";
import { field, setDifferences } from "./tell";
import type { Describer } from "./teller";

export function metricDifferences(was: Metric, is: Metric, { words, value }: Describer) {
  return [
    ...field(words.fields.name, was.name, is.name),
    ...field(words.fields.description, was.description, is.description),
    ...field(words.fields.direction, was.direction, is.direction, (it) => words.directions[it]),
    ...field(words.fields.kind, was.kind, is.kind, (it) => words.metricKinds[it]),
    ...field(words.fields.denominator, was.denominator, is.denominator),
    ...field(words.fields.measuredIn, was.unit, is.unit),
    ...field(words.fields.min, was.min, is.min, value),
    ...field(words.fields.max, was.max, is.max, value),
    ...field(words.fields.cap, was.cap, is.cap, value),
  ];
}

/** Returns the differences between the metrics of an experiment or a holdout. */
export function roleDifferences(
  at: (what: string) => string,
  was: MetricRoles,
  is: MetricRoles,
  { words: { fields } }: Describer,
) {
  return [
    ...field(at(fields.goal), was.goal, is.goal),
    ...setDifferences(at(fields.guardrails), was.guardrails ?? [], is.guardrails ?? []),
    ...setDifferences(at(fields.secondary), was.secondary ?? [], is.secondary ?? []),
  ];
}
