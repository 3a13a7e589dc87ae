/** The reason why a check failed. */
export type RefusalCode =
  /** The browser lacks the needed cryptography. This says nothing about the receipt. */
  | "unsupported"
  /** A text does not have its format: it is cut off, was edited, or is of a newer version. */
  | "malformed"
  /** One of the given keys is malformed. */
  | "bad_key"
  /** None of the given keys has signed it. It is of another log, or the key has been replaced. */
  | "unknown_signer"
  /** A signature has the name of a given key, but is invalid. */
  | "bad_signature"
  /** The policy is malformed; the reason names the line. */
  | "bad_policy"
  /** Too few witnesses of the policy have cosigned the checkpoint; the reason names those that are missing. */
  | "no_quorum"
  /** The entry is not at the position of the proof. */
  | "not_in_log"
  /** The entry belongs to another person. */
  | "other_person"
  /** The receipt is of an applicant and names no user. Verify it without a user id. */
  | "applicant_receipt";

/** The result of a failed check. */
export interface Refusal {
  readonly ok: false;
  readonly code: RefusalCode;
  /** An English message for developers. The host provides the message for its users. */
  readonly reason: string;
}

class VerificationError extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, reason: string) {
    super(reason);
    this.code = code;
  }
}

export function fail(code: RefusalCode, reason: string): never {
  throw new VerificationError(code, reason);
}

/** Runs a check and converts a thrown `VerificationError` to a `Refusal`. */
export async function toResult<T>(check: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof VerificationError)
      return { ok: false, code: error.code, reason: error.message };
    throw error;
  }
}
