import type { Failure, PendingSubmission, SubmissionAnswer } from "@musette/client/terms";

/**
 * `slow`: no answer within 15 s; the call goes on, and its answer still counts. `reticked`: nothing was
 * kept or sent, since the ticks are not those that were confirmed any more.
 */
export type NotSaid = { readonly kind: "slow" | "reticked"; readonly seconds?: undefined };

/** A submission that is pending from before, and what is known of it. */
export type PendingState =
  | { readonly phase: "replaying" | "expired" }
  /** Somebody's, not recorded because the terms had changed. */
  | { readonly phase: "refused" }
  | { readonly phase: "unanswered"; readonly failure: Failure }
  /** Recorded, but perhaps by another person who held this phone. */
  | { readonly phase: "ownerUnknown"; readonly answer: SubmissionAnswer };

export type SubmissionState =
  /** `checking`: looking for a submission that is pending from before. */
  | { readonly phase: "checking" | "idle" | "sending" | "saved" }
  | { readonly phase: "failed"; readonly failure: Failure | NotSaid }
  | (PendingState & { readonly pending: PendingSubmission });
