import type { Failure } from "./failure";
import type { SubmissionAnswer } from "./submission";

/**
 * A submission that the user has confirmed and that has no response yet. The client stores it in IndexedDB
 * before it sends it. After a lost response, a reload or a killed browser it sends the same key and the same
 * bytes again, so that the server records the submission once.
 */
export interface PendingSubmission<Answer = SubmissionAnswer> {
  /** The `Idempotency-Key`. */
  readonly key: string;
  /** The exact body of the request. */
  readonly body: string;
  /** The id of the user; empty for an applicant. */
  readonly userId: string;
  /** The type of terms. For another subject: the id of the object that the submission is about. */
  readonly termsType: string;
  /** For an applicant: the market of the terms. */
  readonly market?: string;
  /** The address of the API. It separates the submissions of different subjects. */
  readonly baseUrl: string;
  /** The time of confirmation in milliseconds, by this device's clock. */
  readonly at: number;
  /** For an applicant: the visit of the consent screen in which they confirmed it. */
  readonly visit?: string;
  /** True if the device's clock was once behind `at`, so that the age of this submission is unknown. */
  readonly doubtful?: boolean;
  /** True if it was confirmed without a network and never sent. The server has not received it. */
  readonly unsent?: boolean;
  /** The response, if it arrived while no consent screen was open to show it. */
  readonly settled?: { readonly answer: Answer } | { readonly failure: Failure };
}
