import type { Schema } from "../api";
import type { Checkpoint } from "./checkpoint";
import { fromBase64Url, parseJson } from "./encoding";
import { decodeSubmission, type LoggedSubmission } from "./entry";
import { HASH_BYTES, hmacSha256Hex } from "./hash";
import { answer, type Refusal, refuse } from "./refusal";
import { checkProof, type VerifyOptions } from "./tlog-proof";

/** The receipt as it is answered and kept in a file: all that a check needs, without the server. */
export type SignedReceipt = Schema<"Receipt">;

/** Whose receipt is checked, and by which keys. */
export interface ReceiptOptions extends VerifyOptions {
  /** The user id that the holder claims; absent where they claim none. */
  readonly userId?: string | undefined;
}

/** A receipt that was verified, and what it proves. */
export interface VerifiedReceipt {
  readonly ok: true;
  readonly index: number;
  readonly entry: LoggedSubmission;
  /** The head of the log under which the entry was proved. */
  readonly checkpoint: Checkpoint;
  /** `not_claimed`: it is a rider's, and nobody said whose. */
  readonly subject: "matches" | "not_claimed";
}

/**
 * Verifies a receipt without the server: signature of the log head, inclusion proof and subject.
 *
 * @param receipt - The object, or the text of its file.
 * @returns A refusal with a code when a check fails; it rejects only for faults of this program.
 */
export function verifyReceipt(
  receipt: unknown,
  options: ReceiptOptions,
): Promise<VerifiedReceipt | Refusal> {
  return answer(async () => {
    const signed = readReceipt(receipt);
    const { index, checkpoint } = await checkProof(signed.proof, signed.entry, options);
    if (index !== signed.index) {
      refuse("malformed", "the proof is of another entry");
    }
    const entry = decodeSubmission(signed.entry);
    const subject = await checkSubject(signed, entry, options.userId);
    return { ok: true, index, entry, checkpoint, subject };
  });
}

/** Members that are not known are passed over: what counts is covered by the proof. */
function readReceipt(receipt: unknown): SignedReceipt {
  const value = typeof receipt === "string" ? parseJson(receipt) : receipt;
  const held: Partial<Record<string, unknown>> = { ...(value as object | null) };
  const texts = [held.id, held.entry, held.proof, held.subject_key];
  if (texts.some((text) => typeof text !== "string") || !Number.isSafeInteger(held.index)) {
    refuse("malformed", "not a signed receipt");
  }
  return held as unknown as SignedReceipt;
}

async function checkSubject(
  receipt: SignedReceipt,
  { user_type, subject }: LoggedSubmission,
  userId: string | undefined,
): Promise<VerifiedReceipt["subject"]> {
  const key = fromBase64Url(receipt.subject_key);
  if (key?.length !== HASH_BYTES) {
    return refuse("malformed", "not a subject key");
  }
  if (user_type === "RIDER" && userId === undefined) return "not_claimed";
  if (user_type === "APPLICANT" && userId !== undefined) {
    refuse("applicant_receipt", "an applicant's, which names no user");
  }
  if ((await hmacSha256Hex(key, userId ?? receipt.id)) !== subject) {
    refuse("other_person", "the entry is that of another person");
  }
  return "matches";
}
