import { type Consent, formerVersion, type Term, versionIds } from "@musette/client/terms";
import type { Decision } from "../terms/receipt";

/** What a person decided about one term. */
export interface Agreement {
  readonly term: Term;
  readonly decision?: Decision;
  /** The newest earlier version that was agreed to, if there is no decision about this one. */
  readonly former?: { readonly label?: string | null; readonly version: number; at: string };
  /** A newer version of the term is in effect. */
  readonly replaced?: true;
  /**
   * Decided on another device or in another browser, after the receipts that are stored here. The
   * time is unknown.
   */
  readonly decidedElsewhere?: true;
}

export type Outcome = "agreed" | "withdrew" | "declined";

/** Returns the newest decision about each term. `decisions` must be sorted newest first. */
export function latestDecisions(decisions: readonly Decision[]): ReadonlyMap<number, Decision> {
  const latest = new Map<number, Decision>();
  for (const decision of decisions) {
    if (!latest.has(decision.termId)) latest.set(decision.termId, decision);
  }
  return latest;
}

/**
 * Returns the agreements of a rider: every term in effect, and other versions that they agreed to.
 * A version is left out if they agreed to a newer one of its document. The history shows the rest.
 */
export function riderAgreements(
  terms: readonly Term[],
  consents: readonly Consent[],
  decisions: readonly Decision[],
): readonly Agreement[] {
  const latest = latestDecisions(decisions);
  // A corrected typo creates a new term. The decision about the previous term still applies to it.
  const decidedAs = new Map(
    consents.map((consent) => [
      consent.terms_and_conditions_id,
      consent.inherited_from ?? consent.terms_and_conditions_id,
    ]),
  );
  const shown = new Set<number>();
  const accepted = (id: number) => latest.get(id)?.accepted === true;
  const inEffect = terms.map((term) => {
    const id = decidedAs.get(term.id) ?? term.id;
    shown.add(term.id).add(id);
    const decision = latest.get(id);
    return { ...agreement(term, decision), ...(!decision && formerOf(term, latest)) };
  });
  const others = [...latest.values()].flatMap((decision) => {
    const { termId, term } = decision;
    if (!term || !decision.accepted || shown.has(termId)) return [];
    const successor = terms.find((one) => earlierIds(one).includes(termId));
    if (!successor) return [agreement(term, decision)];
    const ids = [decidedAs.get(successor.id) ?? successor.id, ...earlierIds(successor)];
    const newer = ids.slice(0, ids.lastIndexOf(termId));
    return newer.some(accepted) ? [] : [{ ...agreement(term, decision), replaced: true as const }];
  });
  return [...inEffect, ...others];
}

function earlierIds(term: Term): readonly number[] {
  return versionIds(term).slice(1);
}

function formerOf(
  term: Term,
  latest: ReadonlyMap<number, Decision>,
): Pick<Agreement, "former"> | undefined {
  const former = formerVersion(term, (id) => latest.get(id)?.accepted === true);
  const decision = former && latest.get(former.id);
  return decision && { former: { ...former, at: decision.recordedAt } };
}

/** Returns the agreements of an applicant: the decisions made on this device. */
export function applicantAgreements(decisions: readonly Decision[]): readonly Agreement[] {
  return [...latestDecisions(decisions).values()]
    .flatMap((decision) => (decision.term ? [agreement(decision.term, decision)] : []))
    .sort((a, b) => a.term.display_order - b.term.display_order || a.term.id - b.term.id);
}

function agreement(term: Term, decision: Decision | undefined): Agreement {
  return { term, ...(decision && { decision }) };
}

/**
 * Returns what the decision did. A "no" after a "yes" is a withdrawal; without an earlier "yes" the
 * person declined.
 */
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

/** The decisions that were submitted together. They have one receipt. */
export interface DecisionGroup {
  readonly receiptId: string;
  readonly recordedAt: string;
  readonly decided: readonly { readonly decision: Decision; readonly outcome: Outcome }[];
}

/**
 * Groups the history by receipt, newest first. The decisions of a receipt are in the order of its
 * terms.
 */
export function groupByReceipt(decisions: readonly Decision[]): readonly DecisionGroup[] {
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
