import type { Behind } from "./behind";
import type { FlagResult } from "./flag-client";
import type { Outbox } from "./outbox";
import type { Person } from "./person";
import type { Records } from "./records";
import type { Metric } from "./reports";
import { unitOf } from "./unit";

/** As the service takes it. */
export interface MetricValue extends Metric {
  readonly id: string;
  readonly unit: string;
  readonly at: string;
}

interface MetricsContext {
  readonly records: Pick<Records, "all">;
  digest(value: unknown): string;
}

/** Tells what somebody did under every id that they are counted by where they take part. */
export function createMetrics(
  { records, digest }: MetricsContext,
  { random }: Pick<Behind, "random">,
  outbox: Pick<Outbox<MetricValue>, "add">,
) {
  let made = 0;

  function units(person: Person): ReadonlySet<string | undefined> {
    const found = new Set<string | undefined>();
    for (const { peeked } of records.all.values()) {
      const { experiment, holdoutsEvaluations } = peeked.result;
      for (const draw of [experiment, ...holdoutsEvaluations])
        if (draw) found.add(unitOf(person, peeked.result as FlagResult, draw.unit));
    }
    // In nothing that is known here: then by what the service draws by where a rule names no other.
    return found.size ? found : found.add(unitOf(person));
  }

  return (person: Person, { metric, value }: Metric, atMs: number) => {
    for (const unit of units(person)) {
      if (!unit) continue;
      made += 1;
      const id = digest([metric, unit, atMs, made, random()]);
      outbox.add({ id, unit, metric, value, at: new Date(atMs).toISOString() });
    }
  };
}
