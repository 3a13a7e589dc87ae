import type { PendingSubmission, Submission } from "@musette/client/terms";
import type { KeptReceipt } from "./receipt";

/**
 * Whether the receipt of a pending submission is kept here: then it is confirmed, and the page was only
 * left before that could be noted. Known by the instants of its decisions, which the log's entry has
 * as the device wrote them.
 */
export function isAnswered(
  { body, userId }: Pick<PendingSubmission, "body" | "userId">,
  receipts: readonly KeptReceipt[],
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
