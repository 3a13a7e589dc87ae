/** Combines three answers of the server: what a person must agree to, and what they decided. */

import type { Wire } from "../../api/wire";
import { versionName } from "../../language/version-name";

export type PublishedTerm = Wire<"PublishedTerm">;

export type RequiredTerm = Wire<"PersonTerm">;

export type PastDecision = Wire<"DecisionBody">;

export type State = "accepted" | "declined" | "withdrawn" | "outstanding" | "undecided";

export interface TermStanding {
  readonly term: PublishedTerm;
  readonly title: string;
  readonly state: State;
  /** It must be decided again, although there is a decision. */
  readonly isOutstanding: boolean;
  /** Until then, the person may work without it. */
  readonly graceUntil?: string;
  readonly decidedAt?: string;
  /** The version that the decision was made on, if this minor version inherits it. */
  readonly inheritedFrom?: string;
  /** The document's label, or the counter if there is none. */
  readonly version?: string;
  readonly locale?: string;
  readonly receiptId?: string;
}

export interface Answers {
  /** The terms in effect, and the earlier ones. */
  readonly terms: readonly PublishedTerm[];
  /** What the person must agree to in their market, now or at an earlier time. */
  readonly asked: readonly RequiredTerm[];
  /** Newest first, without decisions recorded after that time. */
  readonly past: readonly PastDecision[];
}

/** Returns the mandatory terms first, then the others in their display order. */
export function standing(answers: Answers, language: string): readonly TermStanding[] {
  const { terms, asked } = answers;
  return asked
    .flatMap((required) => {
      const term = terms.find(({ id }) => id === required.terms_and_conditions_id);
      return term ? [standingOf(term, required, answers, language)] : [];
    })
    .sort(
      ({ term: a }, { term: b }) =>
        Number(b.mandatory) - Number(a.mandatory) || a.display_order - b.display_order,
    );
}

function standingOf(
  term: PublishedTerm,
  asked: RequiredTerm,
  { terms, past }: Answers,
  language: string,
): TermStanding {
  const { decision, outstanding, decided_on: decidedOn } = asked;
  const inherited = decidedOn === term.id ? undefined : terms.find(({ id }) => id === decidedOn);
  const decisions = past.filter(({ terms_and_conditions_id: id }) => id === decidedOn);
  const last = decisions[0];
  const decidedAt = last?.recorded_at ?? asked.consented_at;
  const shown = terms
    .flatMap(({ variants }) => variants)
    .find(({ sha256 }) => sha256 === last?.sha256);
  const variant = term.variants.find(({ locale }) => locale === language) ?? term.variants[0];
  return {
    term,
    title: variant?.title ?? "",
    state: decision ?? (outstanding ? "outstanding" : "undecided"),
    isOutstanding: outstanding,
    ...(asked.grace_until && { graceUntil: asked.grace_until }),
    ...(decidedAt && { decidedAt }),
    ...(inherited && { inheritedFrom: versionName(inherited) }),
    ...(last && {
      version: versionName(last),
      receiptId: last.receipt_id,
      ...(shown && { locale: shown.locale }),
    }),
  };
}
