import { findPending, type Submit, settlePending } from "@musette/client/terms";

/**
 * Sends the pending submissions of exactly this account or, without one, of applicants, oldest
 * first. Stops at the first without an answer, because a newer one must not overtake it. Returns
 * whether all have an answer.
 */
export async function settleAll(userId: string | undefined, submit: Submit): Promise<boolean> {
  for (const pending of await findPending({ userId })) {
    const { state } = await settlePending(pending, submit);
    if (state === "unanswered") return false;
  }
  return true;
}
