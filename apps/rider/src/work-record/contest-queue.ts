import type { Schema } from "@musette/client/api";
import { type Fetch, HttpError, requestJson } from "@musette/client/http";
import {
  failureOf,
  findPending,
  isOffline,
  newIdempotencyKey,
  type PendingSubmission,
  type Submit,
  settlePending,
} from "@musette/client/terms";

export type ContestBody = Schema<"ContestBody">;

/** The definite answer to a contest. A rejection has the code of the problem. */
export type ContestAnswer =
  | { readonly state: "recorded" }
  | { readonly state: "rejected"; readonly code: string };

/** A contest that the rider has sent and that has no shown answer yet; see `PendingSubmission`. */
export type PendingContest = PendingSubmission<ContestAnswer>;

export function evaluationsUrl(userId: string): string {
  return `/api/rooster/v3/riders/${encodeURIComponent(userId)}/evaluations`;
}

export function createContest(
  userId: string,
  evaluationId: string,
  body: ContestBody,
  at: Date,
): PendingContest {
  return {
    key: newIdempotencyKey(),
    body: JSON.stringify(body),
    userId,
    termsType: evaluationId,
    baseUrl: evaluationsUrl(userId),
    at: at.getTime(),
    ...(isOffline() && { unsent: true }),
  };
}

/** Returns the function that sends this contest. `send` must belong to its user. */
export function contestSender(
  { baseUrl, termsType }: PendingContest,
  send: Fetch,
): Submit<ContestBody, ContestAnswer> {
  return async (body, { idempotencyKey }) => {
    try {
      await requestJson(send, `${baseUrl}/${termsType}/discussion`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "Idempotency-Key": idempotencyKey },
        body: JSON.stringify(body),
      });
      return { state: "recorded" };
    } catch (error) {
      if (!failureOf(error).final) throw error;
      const code = error instanceof HttpError ? error.problem?.code : undefined;
      return { state: "rejected", code: code ?? "refused" };
    }
  };
}

/** Returns the pending contests of a rider, oldest first. */
export function pendingContests(userId: string): Promise<readonly PendingContest[]> {
  return findPending<ContestAnswer>({ userId, baseUrl: evaluationsUrl(userId) });
}

export async function pendingContest(
  userId: string,
  evaluationId: string,
): Promise<PendingContest | undefined> {
  return (await pendingContests(userId)).findLast(({ termsType }) => termsType === evaluationId);
}

/**
 * Sends the pending contests of this rider. They are about different evaluations, so one without an
 * answer does not stop the next. Returns whether all have an answer.
 */
export async function settleContests(userId: string, send: Fetch): Promise<boolean> {
  let isAll = true;
  for (const contest of await pendingContests(userId)) {
    const { state } = await settlePending(contest, contestSender(contest, send));
    if (state === "unanswered") isAll = false;
  }
  return isAll;
}
