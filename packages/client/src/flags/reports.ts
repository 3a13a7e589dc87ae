import type { FlagResult } from "./flag-client";
import { CACHE_MS, type Within } from "./limits";
import type { Managers } from "./managers";
import type { ActiveUser, Person } from "./person";
import type { Records } from "./records";

export interface Metric {
  readonly metric: string;
  readonly value: number;
}

/** Somebody was shown something, or did something, at this time. */
export type Note = readonly [person: Person, what: FlagResult | Metric, atMs: number];

interface ReportsContext {
  readonly active: ActiveUser;
  readonly managers: Pick<Managers, "now">;
  readonly records: Pick<Records, "all">;
  readonly within: Within;
  /** Called after each one. */
  count(): void;
  load(): Promise<unknown>;
}

export type Reports = ReturnType<typeof createReports>;

/** What is to be counted, until the upkeep does it. */
export function createReports(context: ReportsContext) {
  const notes: Note[] = [];

  function note(what: FlagResult | Metric) {
    const { person } = context.active;
    if (!person) return;
    notes.push([person, what, context.managers.now()]);
    context.count();
  }

  return {
    notes,
    note,
    /** What was given stands in the browser's own storage before it is given. */
    noted: async () => notes[0] && context.within(CACHE_MS, context.load()),
    report(key: string, result: FlagResult) {
      const known = context.records.all.get(key);
      if (known?.peeked.result === result) {
        if (known.reported) return;
        known.reported = true;
      }
      if (result.experiment || result.holdoutsEvaluations.length) note(result);
    },
  };
}
