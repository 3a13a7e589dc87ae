import type { Failure } from "./failure";
import type { SubmissionAnswer } from "./submission";

/**
 * A submission that was confirmed by a tap and whose answer is not known yet. It is kept in IndexedDB
 * before it is sent, so that after a lost answer, a reload or a killed browser it goes out again with
 * the same key and the same bytes, and is recorded once.
 */
export interface PendingSubmission {
  /** The `Idempotency-Key`. */
  readonly key: string;
  /** The exact body. */
  readonly body: string;
  /** Empty for an applicant. */
  readonly userId: string;
  readonly termsType: string;
  /** For an applicant: the market whose terms they are. */
  readonly market?: string;
  readonly baseUrl: string;
  /** When it was confirmed, in milliseconds by this device's clock. */
  readonly at: number;
  /** For an applicant: the visit of the consent screen in which it was confirmed. */
  readonly visit?: string;
  /** The device's clock was found behind `at`: the age of this submission is not known any more. */
  readonly doubtful?: boolean;
  /** It was confirmed without a network, and no attempt to send it has begun: the server has never seen it. */
  readonly unsent?: boolean;
  /** It was answered while no screen was there to say so. */
  readonly settled?: { readonly answer: SubmissionAnswer } | { readonly failure: Failure };
}
