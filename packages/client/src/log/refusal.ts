/** Why a check failed. */
export type RefusalCode =
  /** This browser lacks what the check needs. It says nothing about the receipt. */
  | "unsupported"
  /** A text is not in its format: cut off, retyped, or of a newer version. */
  | "malformed"
  /** A key that was given to check with is none. */
  | "bad_key"
  /** None of the given keys signed it: another log, or a key that has been replaced. */
  | "unknown_signer"
  /** Signed with the name of a given key, but not by it. */
  | "bad_signature"
  /** The entry is not where the proof says. */
  | "not_in_log"
  /** The entry is that of another person. */
  | "other_person"
  /** An applicant's receipt names nobody: check it without a user id. */
  | "applicant_receipt";

/** A check that failed. */
export interface Refusal {
  readonly ok: false;
  readonly code: RefusalCode;
  /** English, for a developer or an expert. What a person reads is the host's to word. */
  readonly reason: string;
}

class Refused extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, reason: string) {
    super(reason);
    this.code = code;
  }
}

export function refuse(code: RefusalCode, reason: string): never {
  throw new Refused(code, reason);
}

/** A check that ends early throws within this module, and answers outside of it. */
export async function answer<T>(check: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof Refused) return { ok: false, code: error.code, reason: error.message };
    throw error;
  }
}
