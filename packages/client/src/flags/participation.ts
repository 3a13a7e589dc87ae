import type { FlagClientOptions, FlagEvent, FlagResult } from "./flag-client";
import type { Outbox } from "./outbox";
import type { Person } from "./person";
import type { JsonStorage } from "./storage";
import { unitOf } from "./unit";

/** What was reported: a hash of the unit, the variation or group, and the phase. */
interface ExposureRecord {
  readonly u: string;
  readonly v: string;
  readonly p: number;
}

/** People who share a phone. With one more, the first is reported again, and the service deduplicates. */
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
  /** Where local storage is blocked, each is reported once a page. */
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
    const found = storage(key);
    const records: readonly ExposureRecord[] = Array.isArray(found) ? found : [];
    if (records.some((it) => it.u === u && it.v === v && it.p === p)) return;
    const rest = records.filter((it) => it.u !== u);
    storage(key, [...rest, { u, v, p }].slice(-RECORDS_MAX));
    const event = { ...body, id, unit, at: new Date(atMs).toISOString() } as FlagEvent;
    outbox.add(event);
    // In a microtask: an error of the host shows in its console and does not stop the client.
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
      // The general group is not measured.
      if (group === "GENERAL") continue;
      const body = { name: "holdout_group.participated", holdout: name, group } as const;
      report(`holdout_${name}`, unitOf(person, result, unit), group, phase, body, atMs);
    }
  };
}
