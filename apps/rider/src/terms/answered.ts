import type { PendingSubmission, Submission } from "@musette/client/terms";
import type { StoredReceipt } from "./receipt";

/**
 * Whether the receipt of a pending submission is stored here. It was then confirmed, and the page
 * was closed before that was noted. The match uses the timestamps of its decisions, which the log
 * entry has exactly as the device wrote them.
 */
export function isAnswered(
  { body, userId }: Pick<PendingSubmission, "body" | "userId">,
  receipts: readonly StoredReceipt[],
): boolean {
  const { consents } = JSON.parse(body) as Submission;
  return receipts.some(
    (receipt) =>
      receipt.userId === userId &&
      consents.every(
        ({ terms_and_conditions_id: id, consented_at }) =>
          receipt.decisions.some(({ termId }) => termId === id) &&
          receipt.signed?.entry.includes(`"consented_at":"${consented_at}"`),
      ),
  );
}
