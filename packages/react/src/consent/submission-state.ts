import type { Failure, PendingSubmission, SubmissionAnswer } from "@musette/client/terms";

/**
 * A reason without a response. `slow`: no response within 15 s; the call continues, and its response still
 * counts. `reticked`: nothing was stored or sent, because the ticks differ from the confirmed ones.
 */
export type LocalFailure = { readonly kind: "slow" | "reticked"; readonly seconds?: undefined };

/** The state of a submission that is pending from an earlier screen. */
export type PendingState =
  | { readonly phase: "replaying" | "expired" }
  /** Not recorded because the terms had changed. It may belong to another person. */
  | { readonly phase: "refused" }
  | { readonly phase: "unanswered"; readonly failure: Failure }
  /** Recorded, but another person who used this phone may have sent it. */
  | { readonly phase: "ownerUnknown"; readonly answer: SubmissionAnswer };

export type SubmissionState =
  /** `checking`: the screen checks for a submission that is pending from an earlier screen. */
  | { readonly phase: "checking" | "idle" | "sending" | "saved" }
  | { readonly phase: "failed"; readonly failure: Failure | LocalFailure }
  | (PendingState & { readonly pending: PendingSubmission });
