import type { Schema } from "../api";
import type { BrowserEnvironment } from "./browser-environment";
import type { FlagResult } from "./flag-client";
import type { Outbox } from "./outbox";
import type { Person } from "./person";
import type { Records } from "./records";
import type { Metric } from "./reports";
import { unitOf } from "./unit";

/** A metric value in the format of the service. */
export type MetricValue = Schema<"MetricValueBody">;

interface MetricsContext {
  readonly records: Pick<Records, "all">;
  hash(value: unknown): string;
}

/** Reports a metric value under each randomization unit of the user's experiments and holdouts. */
export function createMetrics(
  { records, hash }: MetricsContext,
  { random }: Pick<BrowserEnvironment, "random">,
  outbox: Pick<Outbox<MetricValue>, "add">,
) {
  let count = 0;

  function units(person: Person): ReadonlySet<string | undefined> {
    const all = new Set<string | undefined>();
    for (const { peeked } of records.all.values()) {
      const { experiment, holdoutsEvaluations } = peeked.result;
      for (const draw of [experiment, ...holdoutsEvaluations])
        if (draw) all.add(unitOf(person, peeked.result as FlagResult, draw.unit));
    }
    // The user is in no known experiment or holdout, so the default unit applies.
    return all.size ? all : all.add(unitOf(person));
  }

  return (person: Person, { metric, value }: Metric, atMs: number) => {
    for (const unit of units(person)) {
      if (!unit) continue;
      count += 1;
      const id = hash([metric, unit, atMs, count, random()]);
      outbox.add({ id, unit, metric, value, at: new Date(atMs).toISOString() });
    }
  };
}
