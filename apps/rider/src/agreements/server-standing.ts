import { openReceipt } from "../receipts/opened-receipt";
import { applicantReceipts } from "../terms/kept-receipts";
import type { Agreement } from "./agreements";

/** The latest decisions of an applicant by the server, which also knows of those made elsewhere. */
export interface ServerStanding {
  readonly accepted: ReadonlyMap<number, boolean>;
  /** What this phone had kept when it asked: a receipt that came since is newer than the answer. */
  readonly knownReceipts: ReadonlySet<string>;
}

export async function fetchStanding(root: string, language: string): Promise<ServerStanding> {
  const knownReceipts = new Set(applicantReceipts().map(({ id }) => id));
  const { standing } = await openReceipt(root, undefined, language);
  const accepted = new Map(standing.map((it) => [it.terms_and_conditions_id, it.accepted]));
  return { accepted, knownReceipts };
}

/** The agreement as it stands by the server, where that was decided after what this phone has kept. */
export function asItStands(agreement: Agreement, standing: ServerStanding | undefined): Agreement {
  const { decision, term } = agreement;
  if (!decision || !standing?.knownReceipts.has(decision.receiptId)) return agreement;
  const accepted = standing.accepted.get(term.id) ?? decision.accepted;
  if (accepted === decision.accepted) return agreement;
  return { ...agreement, decision: { ...decision, accepted }, decidedElsewhere: true };
}
