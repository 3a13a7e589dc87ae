import type { Schema } from "../api";
import type { Checkpoint } from "./checkpoint";
import { fromBase64Url, parseJson } from "./encoding";
import { decodeSubmission, type LoggedSubmission } from "./entry";
import { HASH_BYTES, hmacSha256Hex } from "./hash";
import type { MlDsa } from "./note";
import { fail, type Refusal, toResult } from "./refusal";
import { checkProof, type VerifyOptions } from "./tlog-proof";

/** A receipt as in the API response and in its file. It contains all data to verify it without the server. */
export type SignedReceipt = Schema<"Receipt">;

/** Options of `verifyReceipt`: the user and the trusted keys. */
export interface ReceiptOptions extends VerifyOptions {
  /** The user id that the holder claims; undefined if they claim none. */
  readonly userId?: string | undefined;
}

/** A verified receipt and its content. */
export interface VerifiedReceipt {
  readonly ok: true;
  readonly index: number;
  readonly entry: LoggedSubmission;
  /** The signed head of the log that includes the entry. */
  readonly checkpoint: Checkpoint;
  /** The names in the policy of the witnesses that cosigned the checkpoint. */
  readonly witnesses: readonly string[];
  readonly mlDsa: MlDsa;
  /** `not_claimed`: it is a rider's receipt, and `userId` was not given. */
  readonly subject: "matches" | "not_claimed";
}

/**
 * Verifies a receipt without the server: the signature of the log head, the inclusion proof and the subject.
 *
 * @param receipt - The object, or the text of its file.
 * @returns A `Refusal` with a code if a check fails. The promise rejects only on a bug in this package.
 *
 * @example
 * const result = await verifyReceipt(await file.text(), { vkeys: [LOG_KEY], userId: "rider-1" });
 * if (!result.ok) throw new Error(result.code);
 */
export function verifyReceipt(
  receipt: unknown,
  options: ReceiptOptions,
): Promise<VerifiedReceipt | Refusal> {
  return toResult(async () => {
    const signed = readReceipt(receipt);
    const { index, checkpoint, witnesses, mlDsa } = await checkProof(
      signed.proof,
      signed.entry,
      options,
    );
    if (index !== signed.index) {
      fail("malformed", "the proof belongs to another entry");
    }
    const entry = decodeSubmission(signed.entry);
    const subject = await checkSubject(signed, entry, options.userId);
    return { ok: true, index, entry, checkpoint, witnesses, mlDsa, subject };
  });
}

/** Reads a receipt. Ignores unknown members, because the proof covers all members that matter. */
function readReceipt(receipt: unknown): SignedReceipt {
  const value = typeof receipt === "string" ? parseJson(receipt) : receipt;
  const members: Partial<Record<string, unknown>> = { ...(value as object | null) };
  const texts = [members.id, members.entry, members.proof, members.subject_key];
  if (texts.some((text) => typeof text !== "string") || !Number.isSafeInteger(members.index)) {
    fail("malformed", "the text is not a signed receipt");
  }
  return members as unknown as SignedReceipt;
}

async function checkSubject(
  receipt: SignedReceipt,
  { user_type, subject }: LoggedSubmission,
  userId: string | undefined,
): Promise<VerifiedReceipt["subject"]> {
  const key = fromBase64Url(receipt.subject_key);
  if (key?.length !== HASH_BYTES) {
    return fail("malformed", "the subject key is malformed");
  }
  if (user_type === "RIDER" && userId === undefined) return "not_claimed";
  if (user_type === "APPLICANT" && userId !== undefined) {
    fail(
      "applicant_receipt",
      "the receipt is of an applicant and names no user; verify it without a user id",
    );
  }
  if ((await hmacSha256Hex(key, userId ?? receipt.id)) !== subject) {
    fail("other_person", "the entry belongs to another person");
  }
  return "matches";
}
