import { openReceipt } from "../receipts/opened-receipt";
import { applicantReceipts } from "../terms/stored-receipts";
import type { Agreement } from "./agreements";

/**
 * An applicant's latest decisions according to the server, which also knows decisions made on other
 * devices.
 */
export interface ServerStanding {
  readonly accepted: ReadonlyMap<number, boolean>;
  /**
   * The receipts stored on this phone at the time of the request. A receipt that came later is
   * newer than the answer.
   */
  readonly knownReceipts: ReadonlySet<string>;
}

export async function fetchStanding(root: string, language: string): Promise<ServerStanding> {
  const knownReceipts = new Set(applicantReceipts().map(({ id }) => id));
  const { standing } = await openReceipt(root, undefined, language);
  const accepted = new Map(
    standing.map((consent) => [consent.terms_and_conditions_id, consent.accepted]),
  );
  return { accepted, knownReceipts };
}

/** Returns the agreement with the server's decision, if that is newer than the receipts on this phone. */
export function withServerDecision(
  agreement: Agreement,
  standing: ServerStanding | undefined,
): Agreement {
  const { decision, term } = agreement;
  if (!decision || !standing?.knownReceipts.has(decision.receiptId)) return agreement;
  const accepted = standing.accepted.get(term.id) ?? decision.accepted;
  if (accepted === decision.accepted) return agreement;
  return { ...agreement, decision: { ...decision, accepted }, decidedElsewhere: true };
}
