import {
  DEFAULT_BASE_URL,
  findPending,
  isOffline,
  newIdempotencyKey,
  type PendingSubmission,
  type Submission,
  submittedUserType,
  type Term,
} from "@musette/client/terms";
import { applicationOf } from "./stored-receipts";
import { APP } from "./terms-client";

/** Used in place of a terms type, so the consent screen does not treat these as its own. */
export const SWITCHES = "MY-AGREEMENTS";

export interface Decider {
  readonly userId: string | undefined;
  /** An applicant is identified only by the receipt of their first submission. */
  readonly receiptId: string | undefined;
  readonly locale: string;
}

/**
 * Returns the submission for one press of a switch. It is recorded once, even if it is sent again
 * after an error or a reload.
 */
export function createAttempt(
  accepted: boolean,
  term: Pick<Term, "id" | "sha256">,
  by: Decider,
  at: Date,
): PendingSubmission {
  const submission: Submission = {
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
  };
  return {
    key: newIdempotencyKey(),
    body: JSON.stringify(submission),
    userId: submission.user_id,
    termsType: SWITCHES,
    baseUrl: DEFAULT_BASE_URL,
    at: at.getTime(),
    ...(isOffline() && { unsent: true }),
  };
}

function submissionOf({ body }: Pick<PendingSubmission, "body">): Submission {
  return JSON.parse(body);
}

/** Whether the switch was pressed to agree. */
export function isToAgree(attempt: Pick<PendingSubmission, "body">): boolean {
  return submissionOf(attempt).consents[0]?.accepted === true;
}

/** Returns presses without an answer, of exactly this account or applicant, oldest first. */
export async function waitingAttempts({
  userId,
  receiptId,
}: Omit<Decider, "locale">): Promise<readonly PendingSubmission[]> {
  const all = await findPending({ userId, termsType: SWITCHES });
  if (userId) return all;
  // Applicants share the empty user id. The receipt identifies the applicant.
  return all.filter((attempt) => {
    const of = submissionOf(attempt).receipt_id;
    return of && receiptId !== undefined && applicationOf(of) === applicationOf(receiptId);
  });
}

export async function waitingAttempt(
  termId: number,
  by: Omit<Decider, "locale">,
): Promise<PendingSubmission | undefined> {
  const isAbout = (attempt: PendingSubmission) =>
    submissionOf(attempt).consents.some((one) => one.terms_and_conditions_id === termId);
  return (await waitingAttempts(by)).findLast(isAbout);
}
