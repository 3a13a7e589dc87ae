/** What somebody is asked for and what they said: put together from three answers of the server. */

import type { Wire } from "../../api/wire";
import { versionName } from "../../language/version-name";

export type PublishedTerm = Wire<"PublishedTerm">;

export type Asked = Wire<"TermStanding">;

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
  /** What the person is asked for in their market, or was at an earlier time. */
  readonly asked: readonly Asked[];
  /** The newest first; none that was recorded later. */
  readonly past: readonly PastDecision[];
}

/** The mandatory ones first, then as they are displayed to the person. */
export function standing(answers: Answers, language: string): readonly TermStanding[] {
  const { terms, asked } = answers;
  return asked
    .flatMap((it) => {
      const term = terms.find(({ id }) => id === it.terms_and_conditions_id);
      return term ? [standingOf(term, it, answers, language)] : [];
    })
    .sort(
      ({ term: a }, { term: b }) =>
        Number(b.mandatory) - Number(a.mandatory) || a.display_order - b.display_order,
    );
}

function standingOf(
  term: PublishedTerm,
  asked: Asked,
  { terms, past }: Answers,
  language: string,
): TermStanding {
  const { accepted, outstanding, decided_on: decidedOn } = asked;
  const made = past.filter(({ terms_and_conditions_id: id }) => id === decidedOn);
  const last = made[0];
  const decidedAt = last?.recorded_at ?? asked.consented_at;
  const shown = terms
    .flatMap(({ variants }) => variants)
    .find(({ sha256 }) => sha256 === last?.sha256);
  const variant = term.variants.find(({ locale }) => locale === language) ?? term.variants[0];
  return {
    term,
    title: variant?.title ?? "",
    state:
      accepted !== undefined ? stateOf(accepted, made) : outstanding ? "outstanding" : "undecided",
    isOutstanding: outstanding,
    ...(asked.grace_until && { graceUntil: asked.grace_until }),
    ...(decidedAt && { decidedAt }),
    ...(last && {
      version: versionName(last),
      receiptId: last.receipt_id,
      ...(shown && { locale: shown.locale }),
    }),
  };
}

/** Whoever said no after a yes has taken it back. */
function stateOf(accepted: boolean, made: readonly PastDecision[]): State {
  if (accepted) return "accepted";
  return made.some((earlier) => earlier.accepted) ? "withdrawn" : "refused";
}
