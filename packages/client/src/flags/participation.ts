import type { Core } from "./core";
import type { FlagEvent, FlagResult, FlagUser } from "./flag-client";
import { digest } from "./hash";
import { unitOf } from "./person";

/** A hash of the unit, the variation or group, and the phase. */
interface Mark {
  readonly u: string;
  readonly v: string;
  readonly p: number;
}

/** People who share a phone. One more, and the first is told again, which the service sees. */
const MARKS_MAX = 8;
/** Beyond this the service has been away for long, and the phone needs its memory. */
const UNTOLD_MAX = 500;

type Body<E> = E extends FlagEvent ? Omit<E, "id" | "unit" | "at"> : never;

/** Tells of each participation once a person, experiment or holdout, and phase. */
export function createParticipation(
  { keep, managers, untold, untoldKey }: Core,
  tell: (event: FlagEvent) => void,
) {
  /** What a blocked local storage cannot keep is at least told once a page. */
  const told = new Set<string>();

  function list<T>(key: string): T[] {
    const found = keep(key);
    return Array.isArray(found) ? found : [];
  }

  function report(
    key: string,
    unit: string | undefined,
    v: string,
    p: number,
    body: Body<FlagEvent>,
  ) {
    if (!unit) return;
    const u = digest(unit);
    const id = digest([key, u, v, p]);
    if (told.has(id)) return;
    told.add(id);
    const marks = list<Mark>(key);
    if (marks.some((mark) => mark.u === u && mark.v === v && mark.p === p)) return;
    const rest = marks.filter((mark) => mark.u !== u);
    keep(key, [...rest, { u, v, p }].slice(-MARKS_MAX));
    const event = { ...body, id, unit, at: new Date(managers.now()).toISOString() } as FlagEvent;
    const all = [...list<FlagEvent>(untoldKey), event];
    // No local storage: then memory, as long as the page lives.
    if (!keep(untoldKey, all.slice(-UNTOLD_MAX))) untold.push(event);
    tell(event);
  }

  return (user: FlagUser, result: FlagResult) => {
    const { experiment, holdoutsEvaluations } = result;
    if (experiment) {
      const { key, variation, phase, unit } = experiment;
      report(`ab_test_${key}`, unitOf(user, result, unit), variation, phase, {
        name: "ab_test.participated",
        experiment: key,
        phase,
        variation,
      });
    }
    for (const { key, group, phase = 0, unit } of holdoutsEvaluations) {
      // Whoever is in neither measured group has taken part in nothing.
      if (group === "GENERAL") continue;
      report(`holdout_${key}`, unitOf(user, result, unit), group, phase, {
        name: "holdout_group.participated",
        holdout: key,
        group,
      });
    }
  };
}
