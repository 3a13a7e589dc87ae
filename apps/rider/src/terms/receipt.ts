import type { SignedReceipt } from "@musette/client/log";
import type { PastConsent, SubmissionAnswer, Term } from "@musette/client/terms";

export interface Decision {
  readonly termId: number;
  readonly accepted: boolean;
  /** The server's time, not the device's. */
  readonly recordedAt: string;
  readonly receiptId: string;
  /** The exact version that was decided on; undefined if it was never listed here. */
  readonly term?: Term;
}

export interface StoredReceipt {
  readonly id: string;
  /** An applicant's first receipt. All their later decisions are submitted under it. */
  readonly root: string;
  readonly userId: string;
  readonly recordedAt: string;
  readonly decisions: readonly Decision[];
  /** With its proof, as the server gave it; undefined if the server has no log. */
  readonly signed?: SignedReceipt;
}

/** A server without the log answers with the id alone: there is no proof to show. */
function asSigned(receipt: unknown): SignedReceipt | undefined {
  const isSigned =
    typeof receipt === "object" && receipt !== null && "entry" in receipt && "proof" in receipt;
  return isSigned ? (receipt as SignedReceipt) : undefined;
}

export function receiptOf(
  answer: SubmissionAnswer,
  termOf: (id: number) => Term | undefined,
  root = answer.receipt.id,
): StoredReceipt {
  const signed = asSigned(answer.receipt);
  return {
    id: answer.receipt.id,
    ...(signed && { signed }),
    root,
    userId: answer.user_id,
    recordedAt: answer.recorded_at,
    decisions: answer.consents.map(({ terms_and_conditions_id: termId, accepted }) => {
      const term = termOf(termId);
      return {
        termId,
        accepted,
        recordedAt: answer.recorded_at,
        receiptId: answer.receipt.id,
        ...(term && { term }),
      };
    }),
  };
}

export function decisionOf(past: PastConsent): Decision {
  return {
    termId: past.terms_and_conditions_id,
    accepted: past.accepted,
    recordedAt: past.recorded_at,
    receiptId: past.receipt_id,
    term: past.term,
  };
}

/** "Version 3" only makes sense next to the title, and a host's terms may have neither. */
export function termTitle(term: Term | undefined, id: number): string {
  return term?.title ?? `#${id}`;
}
