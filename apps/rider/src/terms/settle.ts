import { findPending, type Submit, settlePending } from "@musette/client/terms";

/** Tells every page of the app that something that waited has been answered. */
export const CHANNEL = "musette.pending";
/** The tag of the background sync. */
export const SYNC = "musette-pending";

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
