import type { FlagEvent, FlagResult, FlagUser } from "./flag-client";
import { digest, namedUuid } from "./hash";
import type { Managers } from "./managers";
import { unitOf } from "./person";

/** A hash of the unit, the variation or group, the phase; and whether the service has it. */
interface Mark {
  readonly u: string;
  readonly v: string;
  readonly p: number;
  readonly s?: 1;
}

/** People who share a phone. One more, and the first is told again, which the service sees. */
const MARKS_MAX = 8;

type Body<E> = E extends FlagEvent ? Omit<E, "id" | "unit" | "at"> : never;

interface Drawn {
  readonly storageKey: string;
  readonly unit: string;
  readonly mark: Mark;
  readonly body: Body<FlagEvent>;
}

function drawnIn(user: FlagUser, result: FlagResult): Drawn[] {
  const drawn: Drawn[] = [];
  const { experiment, holdoutsEvaluations } = result;
  const add = (
    storageKey: string,
    named: string | undefined,
    v: string,
    p: number,
    body: Drawn["body"],
  ) => {
    const unit = unitOf(user, result, named);
    if (unit) drawn.push({ storageKey, unit, body, mark: { u: digest(unit), v, p } });
  };
  if (experiment) {
    const { key, variation, phase, unit } = experiment;
    add(`ab_test_${key}`, unit, variation, phase, {
      name: "ab_test.participated",
      experiment: key,
      phase,
      variation,
    });
  }
  for (const { key, group, phase = 0, unit } of holdoutsEvaluations) {
    // Whoever is in neither measured group has taken part in nothing.
    if (group === "GENERAL") continue;
    add(`holdout_${key}`, unit, group, phase, {
      name: "holdout_group.participated",
      holdout: key,
      group,
    });
  }
  return drawn;
}

export type Participation = ReturnType<typeof createParticipation>;

/** Tells of each participation once a person, experiment or holdout, and phase. */
export function createParticipation(
  managers: Managers,
  tell: (event: FlagEvent, isNews: boolean, delivered: () => void) => void,
  unsupported: () => void,
) {
  /** What a blocked local storage cannot keep is at least told once a page. */
  const told = new Set<string>();

  function read(key: string): Mark[] {
    try {
      const marks: unknown = JSON.parse(managers.marks.read(key) ?? "[]");
      return Array.isArray(marks) ? marks : [];
    } catch (error) {
      if (!(error instanceof SyntaxError)) unsupported();
      return [];
    }
  }

  function write(key: string, mark: Mark) {
    const others = read(key).filter(({ u }) => u !== mark.u);
    try {
      managers.marks.write(key, JSON.stringify([...others, mark].slice(-MARKS_MAX)));
    } catch {
      // Full, or blocked: `told` has to do.
    }
  }

  return function report(user: FlagUser, result: FlagResult) {
    for (const { storageKey, unit, mark, body } of drawnIn(user, result)) {
      const name = JSON.stringify([storageKey, mark.u, mark.v, mark.p]);
      if (told.has(name)) continue;
      told.add(name);
      const before = read(storageKey).find(
        ({ u, v, p }) => u === mark.u && v === mark.v && p === mark.p,
      );
      if (before?.s) continue;
      if (!before) write(storageKey, mark);
      const event = {
        ...body,
        id: namedUuid(name),
        unit,
        at: new Date(managers.now()).toISOString(),
      } as FlagEvent;
      tell(event, !before, () => write(storageKey, { ...mark, s: 1 }));
    }
  };
}
