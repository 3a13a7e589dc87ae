import type { Failure, PendingSubmission, SubmissionAnswer } from "@musette/client/terms";

/** No answer after a while: the call goes on, and its answer still counts. */
export type Slow = { readonly kind: "slow"; readonly seconds?: undefined };

/** What waits from before, and what is known of it. */
export type Standing =
  | { readonly phase: "replaying" | "expired" }
  | { readonly phase: "unanswered"; readonly failure: Failure }
  /** Recorded, but it may be another person's who held this phone. */
  | { readonly phase: "whose"; readonly answer: SubmissionAnswer };

export type SubmissionState =
  /** `checking`: whether something waits from before. */
  | { readonly phase: "checking" | "idle" | "sending" | "saved" }
  | { readonly phase: "failed"; readonly failure: Failure | Slow }
  | (Standing & { readonly pending: PendingSubmission });
