import { findPending, type Submit, settlePending } from "@musette/client/terms";

/**
 * Sends what waits: of exactly this account or, without one, of applicants, oldest first. Stops at the
 * first that has no answer, which a newer one must not overtake. Resolves with whether all have one.
 */
export async function settleAll(userId: string | undefined, submit: Submit): Promise<boolean> {
  for (const pending of await findPending({ userId })) {
    const { state } = await settlePending(pending, submit);
    if (state === "unanswered") return false;
  }
  return true;
}
