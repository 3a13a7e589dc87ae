import type { Consent, Term } from "@musette/client/terms";
import type { Decision } from "../receipts/receipt";

/** Where a person stands with one term. */
export interface Agreement {
  readonly term: Term;
  readonly decision?: Decision;
  /** False for a text that a newer one has replaced. */
  readonly current: boolean;
}

export type Outcome = "agreed" | "withdrew" | "declined";

/** By the newest decision about each term; `decisions` come newest first. */
export function latestDecisions(decisions: readonly Decision[]): ReadonlyMap<number, Decision> {
  const latest = new Map<number, Decision>();
  for (const decision of decisions) {
    if (!latest.has(decision.termId)) latest.set(decision.termId, decision);
  }
  return latest;
}

/** A rider's: every term in effect, and what is still agreed to although its text was replaced. */
export function riderAgreements(
  terms: readonly Term[],
  consents: readonly Consent[],
  decisions: readonly Decision[],
): readonly Agreement[] {
  const latest = latestDecisions(decisions);
  // A corrected typo made a new term: the decision about the one before still counts for it.
  const decidedAs = new Map(
    consents.map((consent) => [
      consent.terms_and_conditions_id,
      consent.inherited_from ?? consent.terms_and_conditions_id,
    ]),
  );
  const shown = new Set<number>();
  const inEffect = terms.map((term) => {
    const id = decidedAs.get(term.id) ?? term.id;
    shown.add(term.id).add(id);
    return agreement(term, latest.get(id), true);
  });
  const replaced = [...latest.values()]
    .filter(({ termId, accepted }) => accepted && !shown.has(termId))
    .flatMap((decision) => (decision.term ? [agreement(decision.term, decision, false)] : []));
  return [...inEffect, ...replaced];
}

/** An applicant's: what was decided on this device. */
export function applicantAgreements(decisions: readonly Decision[]): readonly Agreement[] {
  return [...latestDecisions(decisions).values()]
    .flatMap((decision) => (decision.term ? [agreement(decision.term, decision, true)] : []))
    .sort((a, b) => a.term.display_order - b.term.display_order || a.term.id - b.term.id);
}

function agreement(term: Term, decision: Decision | undefined, current: boolean): Agreement {
  return { term, current, ...(decision && { decision }) };
}

/** To say no after a yes is a withdrawal; before one, it is only a no. */
export function outcomeOf(decision: Decision, older: readonly Decision[]): Outcome {
  if (decision.accepted) return "agreed";
  const hadAgreed = older.some(({ termId, accepted }) => accepted && termId === decision.termId);
  return hadAgreed ? "withdrew" : "declined";
}

export function outcomeIn(
  { decision }: Agreement,
  decisions: readonly Decision[],
): Outcome | undefined {
  return decision && outcomeOf(decision, decisions.slice(decisions.indexOf(decision) + 1));
}

/** What was decided together: one receipt. */
export interface Occasion {
  readonly receiptId: string;
  readonly recordedAt: string;
  readonly decided: readonly { readonly decision: Decision; readonly outcome: Outcome }[];
}

/** The history by receipts, newest first, each in the order of its terms. */
export function occasionsOf(decisions: readonly Decision[]): readonly Occasion[] {
  const byReceipt = new Map<string, Decision[]>();
  for (const decision of decisions) {
    const together = byReceipt.get(decision.receiptId);
    if (together) together.push(decision);
    else byReceipt.set(decision.receiptId, [decision]);
  }
  return [...byReceipt].map(([receiptId, together]) => ({
    receiptId,
    recordedAt: together[0]?.recordedAt ?? "",
    decided: together
      .map((decision) => ({
        decision,
        outcome: outcomeOf(decision, decisions.slice(decisions.indexOf(decision) + 1)),
      }))
      .sort((a, b) => place(a.decision) - place(b.decision)),
  }));
}

function place({ term, termId }: Decision): number {
  return term?.display_order ?? termId;
}
