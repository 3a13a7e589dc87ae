import type { FlagClientOptions, FlagEvent, FlagResult } from "./flag-client";
import type { Outbox } from "./outbox";
import type { Person } from "./person";
import type { JsonStorage } from "./storage";
import { unitOf } from "./unit";

/** A reported participation: `u` is a hash of the unit, `v` the variation or group, `p` the phase. */
interface ExposureRecord {
  readonly u: string;
  readonly v: string;
  readonly p: number;
}

/** Number of users of one phone to remember. The service deduplicates a participation that is sent again. */
const RECORDS_MAX = 8;

type Body<E> = E extends FlagEvent ? Omit<E, "id" | "unit" | "at"> : never;

interface ParticipationContext {
  readonly storage: JsonStorage;
  readonly options: Pick<FlagClientOptions, "onEvent">;
  hash(value: unknown): string;
}

/** Reports each participation once per person, experiment or holdout, and phase. */
export function createParticipation(
  { storage, hash, options }: ParticipationContext,
  outbox: Pick<Outbox<FlagEvent>, "add">,
) {
  /** Ids reported by this page. If local storage is blocked, each page reports a participation once. */
  const reported = new Set<string>();

  function report(
    key: string,
    unit: string | undefined,
    v: string,
    p: number,
    body: Body<FlagEvent>,
    atMs: number,
  ) {
    if (!unit) return;
    const u = hash(unit);
    const id = hash([key, u, v, p]);
    if (reported.has(id)) return;
    reported.add(id);
    const value = storage(key);
    const records: readonly ExposureRecord[] = Array.isArray(value) ? value : [];
    if (records.some((record) => record.u === u && record.v === v && record.p === p)) return;
    const rest = records.filter((record) => record.u !== u);
    storage(key, [...rest, { u, v, p }].slice(-RECORDS_MAX));
    const event = { ...body, id, unit, at: new Date(atMs).toISOString() } as FlagEvent;
    outbox.add(event);
    // In a microtask, so that an error of the host appears in the console and does not stop the client.
    queueMicrotask(() => options.onEvent?.(event));
  }

  return (person: Person, result: FlagResult, atMs: number) => {
    const { experiment, holdoutsEvaluations } = result;
    if (experiment) {
      const { key: name, variation, phase, unit } = experiment;
      const body = { name: "ab_test.participated", experiment: name, phase, variation } as const;
      report(`ab_test_${name}`, unitOf(person, result, unit), variation, phase, body, atMs);
    }
    for (const { key: name, group, phase = 0, unit } of holdoutsEvaluations) {
      // The general group does not take part in the measurement.
      if (group === "GENERAL") continue;
      const body = { name: "holdout_group.participated", holdout: name, group } as const;
      report(`holdout_${name}`, unitOf(person, result, unit), group, phase, body, atMs);
    }
  };
}
