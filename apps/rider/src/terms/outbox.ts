import {
  findPending,
  forgetPending,
  type PendingSubmission,
  replayPending,
  type SubmissionAnswer,
  type Submit,
} from "@musette/client/terms";

/**
 * Sends what waits for an answer, in its order, each with its own key. Throws what stands in the way:
 * a newer decision must not overtake an older one, which would override it once it is recorded.
 */
export async function sendWaiting(
  waiting: readonly PendingSubmission[],
  submit: Submit,
  onRecorded: (answer: SubmissionAnswer) => void,
): Promise<void> {
  for (const pending of waiting) {
    let error: unknown;
    const outcome = await replayPending(pending, async (...call) => {
      try {
        return await submit(...call);
      } catch (failure) {
        error = failure;
        throw failure;
      }
    });
    if (outcome.state === "unanswered") throw error;
    if (outcome.state === "recorded") {
      onRecorded(outcome.answer);
      await forgetPending(pending);
    }
  }
}

/** What this account confirmed before the submission with this key, and waits still. */
export async function waitingBefore(
  userId: string,
  key: string,
): Promise<readonly PendingSubmission[]> {
  const all = await findPending({ userId });
  const own = all.findIndex((pending) => pending.key === key);
  return all.slice(0, Math.max(own, 0));
}
