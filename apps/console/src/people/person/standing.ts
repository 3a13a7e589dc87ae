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

/** Whoever said no after a yes has taken it back. */
function stateOf({ accepted }: Latest, made: readonly PastDecision[]): State {
  if (accepted) return "accepted";
  return made.some((earlier) => earlier.accepted) ? "withdrawn" : "refused";
}
