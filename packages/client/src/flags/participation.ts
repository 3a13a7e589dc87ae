import type { FlagClientOptions, FlagEvent, FlagResult } from "./flag-client";
import type { Keep } from "./keep";
import type { Outbox } from "./outbox";
import type { Person } from "./person";
import { unitOf } from "./unit";

/** A hash of the unit, the variation or group, and the phase. */
interface Mark {
  readonly u: string;
  readonly v: string;
  readonly p: number;
}

/** People who share a phone. One more, and the first is told again, which the service sees. */
const MARKS_MAX = 8;

type Body<E> = E extends FlagEvent ? Omit<E, "id" | "unit" | "at"> : never;

interface ParticipationContext {
  readonly keep: Keep;
  readonly options: Pick<FlagClientOptions, "onEvent">;
  digest(value: unknown): string;
}

/** Tells of each participation once a person, experiment or holdout, and phase. */
export function createParticipation(
  { keep, digest, options }: ParticipationContext,
  outbox: Pick<Outbox<FlagEvent>, "add">,
) {
  /** What a blocked local storage cannot keep is at least told once a page. */
  const told = new Set<string>();

  function report(
    key: string,
    unit: string | undefined,
    v: string,
    p: number,
    body: Body<FlagEvent>,
    atMs: number,
  ) {
    if (!unit) return;
    const u = digest(unit);
    const id = digest([key, u, v, p]);
    if (told.has(id)) return;
    told.add(id);
    const found = keep(key);
    const marks: readonly Mark[] = Array.isArray(found) ? found : [];
    if (marks.some((mark) => mark.u === u && mark.v === v && mark.p === p)) return;
    const rest = marks.filter((mark) => mark.u !== u);
    keep(key, [...rest, { u, v, p }].slice(-MARKS_MAX));
    const event = { ...body, id, unit, at: new Date(atMs).toISOString() } as FlagEvent;
    outbox.add(event);
    // What the host gets wrong in it shows in its console, and costs nobody their flags.
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
      // Whoever is in neither measured group has taken part in nothing.
      if (group === "GENERAL") continue;
      const body = { name: "holdout_group.participated", holdout: name, group } as const;
      report(`holdout_${name}`, unitOf(person, result, unit), group, phase, body, atMs);
    }
  };
}
