import {
  findPending,
  forgetPending,
  type PendingSubmission,
  replayPending,
  type SubmissionAnswer,
  type Submit,
} from "@musette/client/terms";

/**
 * Sends waiting submissions in order, each with its own key. Throws the error that stops it: a
 * newer decision must not be sent before an older one, which would override it once recorded.
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

/** Returns this account's submissions that were confirmed before the one with this key and still wait. */
export async function waitingBefore(
  userId: string,
  key: string,
): Promise<readonly PendingSubmission[]> {
  const all = await findPending({ userId });
  const own = all.findIndex((pending) => pending.key === key);
  return all.slice(0, Math.max(own, 0));
}
