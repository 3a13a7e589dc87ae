import {
  newIdempotencyKey,
  type Submission,
  type SubmissionAnswer,
  submittedUserType,
  type Term,
  type TermsClient,
} from "@musette/client/terms";
import { APP } from "../terms/terms-client";

export interface Decider {
  readonly userId: string | undefined;
  /** An applicant is known by the receipt of their first submission only. */
  readonly receiptId: string | undefined;
  readonly locale: string;
}

/** One tap. Sent again after a failure, it carries the same key, so it is recorded once. */
export interface Attempt {
  readonly accepted: boolean;
  readonly submission: Submission;
  readonly key: string;
}

export function attemptTo(accepted: boolean, term: Term, by: Decider, at: Date): Attempt {
  return {
    accepted,
    key: newIdempotencyKey(),
    submission: {
      user_id: by.userId ?? "",
      user_type: submittedUserType(by.userId),
      consents: [
        {
          terms_and_conditions_id: term.id,
          accepted,
          consented_at: at.toISOString(),
          ...(term.sha256 && { sha256: term.sha256 }),
          method: "tick",
        },
      ],
      locale: by.locale,
      app: APP,
      ...(!by.userId && by.receiptId && { receipt_id: by.receiptId }),
    },
  };
}

export function send(client: TermsClient, attempt: Attempt): Promise<SubmissionAnswer> {
  return client.submitConsents(attempt.submission, { idempotencyKey: attempt.key });
}
