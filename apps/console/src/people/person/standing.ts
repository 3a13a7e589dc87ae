/** What somebody is asked for and what they said: put together from four answers of the server. */

import type { Wire } from "../../api/wire";
import { versionName } from "../../language/version-name";

export type PublishedTerm = Wire<"PublishedTerm">;

export type Latest = Wire<"ConsentBody">;

export type PastDecision = Wire<"DecisionBody">;

export type State = "accepted" | "refused" | "withdrawn" | "outstanding" | "undecided";

export interface TermStanding {
  readonly term: PublishedTerm;
  readonly title: string;
  readonly state: State;
  /** It is asked for again, though there was a decision. */
  readonly isOutstanding: boolean;
  /** Until then it stops nobody from working. */
  readonly graceUntil?: string;
  readonly decidedAt?: string;
  /** As the document calls it, else the counter. */
  readonly version?: string;
  readonly locale?: string;
  readonly receiptId?: string;
}

export interface Answers {
  /** Those in effect, and those before them. */
  readonly terms: readonly PublishedTerm[];
  readonly latest: readonly Latest[];
  readonly past: readonly PastDecision[];
  readonly outstanding: readonly { readonly id: number; readonly grace_until?: string }[];
}

/** The mandatory ones first, then as they are displayed to the person. */
export function standing(answers: Answers, language: string): readonly TermStanding[] {
  return answers.terms
    .filter(({ status }) => status === "active")
    .sort((a, b) => Number(b.mandatory) - Number(a.mandatory) || a.display_order - b.display_order)
    .map((term) => standingOf(term, answers, language));
}

function standingOf(
  term: PublishedTerm,
  { terms, latest, past, outstanding }: Answers,
  language: string,
): TermStanding {
  const open = outstanding.find(({ id }) => id === term.id);
  const decision = latest.find(({ terms_and_conditions_id: id }) => id === term.id);
  const decidedOn = decision?.inherited_from ?? term.id;
  const made = past.filter(({ terms_and_conditions_id: id }) => id === decidedOn);
  const last = decision && made[0];
  const shown = terms
    .flatMap(({ variants }) => variants)
    .find(({ sha256 }) => sha256 === last?.sha256);
  const variant = term.variants.find(({ locale }) => locale === language) ?? term.variants[0];
  return {
    term,
    title: variant?.title ?? "",
    state: decision ? stateOf(decision, made) : open ? "outstanding" : "undecided",
    isOutstanding: open !== undefined,
    ...(open?.grace_until && { graceUntil: open.grace_until }),
    ...(decision && { decidedAt: last?.recorded_at ?? decision.consented_at }),
    ...(last && {
      version: versionName(last),
      receiptId: last.receipt_id,
      ...(shown && { locale: shown.locale }),
    }),
  };
}

const isPast = (instant: string | undefined, at: number) =>
  instant !== undefined && Date.parse(instant) <= at;

/** What somebody was asked for, and had said to it, at an earlier time: the rules of the server over its records. */
export function answersAt({ terms, past }: Answers, at: number): Answers & { mayWork: boolean } {
  const known = terms.filter(({ published_at }) => isPast(published_at, at));
  const wasCancelled = ({ cancelled_at }: PublishedTerm) => isPast(cancelled_at, at);
  const isReplaced = (id: number): boolean =>
    known.some(
      (it) =>
        it.replaces === id &&
        ((isPast(it.effective_from, at) && !wasCancelled(it)) || isReplaced(it.id)),
    );
  const inEffect = known.filter(
    (it) =>
      isPast(it.effective_from, at) &&
      !wasCancelled(it) &&
      !isPast(it.retired_at, at) &&
      !isReplaced(it.id),
  );
  const made = past.filter(({ recorded_at }) => isPast(recorded_at, at));
  const decided = (term: PublishedTerm): PastDecision | undefined => {
    const own = made.find(({ terms_and_conditions_id: id }) => id === term.id);
    const before = terms.find(({ id }) => id === term.replaces);
    // A minor version inherits the decision on the one that it replaces.
    return own ?? (term.material || !before ? undefined : decided(before));
  };
  const latest = inEffect.flatMap((term) => {
    const decision = decided(term);
    if (!decision) return [];
    const { accepted, consented_at, terms_and_conditions_id: on } = decision;
    return [
      {
        terms_and_conditions_id: term.id,
        accepted,
        consented_at,
        ...(on !== term.id && { inherited_from: on }),
      },
    ];
  });
  const open = inEffect.filter((term) => term.mandatory && !decided(term)?.accepted);
  return {
    terms: terms.map((term) => ({
      ...term,
      status: inEffect.includes(term) ? ("active" as const) : ("superseded" as const),
    })),
    latest,
    past: made,
    outstanding: open.map(({ id, grace_until }) => ({
      id,
      ...(grace_until && !isPast(grace_until, at) && { grace_until }),
    })),
    mayWork: open.every(({ grace_until }) => grace_until && !isPast(grace_until, at)),
  };
}

/** Whoever said no after a yes has taken it back. */
function stateOf({ accepted }: Latest, made: readonly PastDecision[]): State {
  if (accepted) return "accepted";
  return made.some((earlier) => earlier.accepted) ? "withdrawn" : "refused";
}
