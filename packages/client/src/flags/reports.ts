import type { FlagResult } from "./flag-client";
import { CACHE_MS, type Within } from "./limits";
import type { Managers } from "./managers";
import type { ActiveUser, Person } from "./person";
import type { Records } from "./records";

/** A metric value as reported by the host. */
export interface Metric {
  readonly metric: string;
  readonly value: number;
}

/** An exposure or a metric value of a user, with the time of the device's clock. */
export type PendingReport = readonly [person: Person, report: FlagResult | Metric, atMs: number];

interface ReportsContext {
  readonly active: ActiveUser;
  readonly managers: Pick<Managers, "now">;
  readonly records: Pick<Records, "all">;
  readonly within: Within;
  /** Called after each report. */
  count(): void;
  load(): Promise<unknown>;
}

export type Reports = ReturnType<typeof createReports>;

/** Queues reports until the background work is loaded. */
export function createReports(context: ReportsContext) {
  const queue: PendingReport[] = [];

  function enqueue(report: FlagResult | Metric) {
    const { person } = context.active;
    if (!person) return;
    queue.push([person, report, context.managers.now()]);
    context.count();
  }

  return {
    queue,
    enqueue,
    /** Resolves when queued reports are in local storage. Callers wait for it before they return the value. */
    saved: async () => queue[0] && context.within(CACHE_MS, context.load()),
    /** Reports the exposure of a result once. */
    report(key: string, result: FlagResult) {
      const record = context.records.all.get(key);
      if (record?.peeked.result === result) {
        if (record.reported) return;
        record.reported = true;
      }
      if (result.experiment || result.holdoutsEvaluations.length) enqueue(result);
    },
  };
}
