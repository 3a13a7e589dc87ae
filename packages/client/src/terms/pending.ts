import { type Failure, failureOf, isOffline } from "./failure";
import { allPending, deletePending, putPending } from "./pending-storage";
import type { PendingSubmission } from "./pending-submission";
import { DEFAULT_BASE_URL } from "./reads";
import type { Submission, SubmissionAnswer } from "./submission";
import type { SubmitOptions } from "./terms-client";

/** Whose pending submissions are meant. */
export interface PendingOwner {
  /** Undefined or empty: an applicant's. */
  readonly userId?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** Without it, of all types. */
  readonly termsType?: string | undefined;
  /** An applicant's market; null for no market. Undefined: every market. */
  readonly market?: string | null | undefined;
}

/** What became of a replay. */
export type PendingOutcome =
  /** Recorded, now or before. Call `forgetPending` once its receipt is kept. */
  | { readonly state: "recorded"; readonly answer: SubmissionAnswer }
  /** Not known yet. It stays pending. */
  | { readonly state: "unanswered"; readonly failure: Failure }
  /** The server has said no, so nothing is recorded. It is not pending any more. */
  | { readonly state: "refused"; readonly failure: Failure }
  /** The server remembers keys for seven days: sent again now it could be recorded twice. */
  | { readonly state: "expired" }
  /** Settled meanwhile elsewhere, such as in another tab. */
  | { readonly state: "gone" };

/** Sends a submission: the client's, or the host's own. */
export type Submit = (submission: Submission, options: SubmitOptions) => Promise<SubmissionAnswer>;

/** An hour less than the server's seven days, for the way there and a clock that drifts. */
const KEY_LIFETIME_MS = (7 * 24 - 1) * 3600_000;
/** By then whoever could still be told has not come back: somebody's id need not stay on this device. */
const KEPT_MS = 30 * 24 * 3600_000;
const CLOCK_SLACK_MS = 5 * 60_000;
/** A tab that was frozen while it held the lock must not hold up the others for ever. */
const TURN_DEADLINE_MS = 10_000;

/** Whether the server can no longer say if this one was recorded. */
export function isExpired({ at, doubtful }: PendingSubmission, now: Date): boolean {
  return doubtful === true || now.getTime() - at > KEY_LIFETIME_MS;
}

/**
 * What waits for an answer, oldest first: of exactly this account or, without a user id, of applicants
 * on this device. An applicant's may be another person's: replay it, but ask whose it was before its
 * receipt is shown (`isOfVisit` tells whether it came from the visit that goes on).
 */
export async function findPending(owner: PendingOwner): Promise<readonly PendingSubmission[]> {
  const { userId = "", baseUrl = DEFAULT_BASE_URL, termsType, market } = owner;
  const all = await allPending();
  const isOver = ({ at }: PendingSubmission) => Date.now() - at > KEPT_MS;
  await Promise.all(all.filter(isOver).map(forgetPending));
  const own = all.filter(
    (pending) =>
      !isOver(pending) &&
      pending.userId === userId &&
      pending.baseUrl === baseUrl &&
      (termsType === undefined || pending.termsType === termsType) &&
      (market === undefined || userId !== "" || (pending.market ?? null) === market),
  );
  return Promise.all(own.sort((a, b) => a.at - b.at).map(watchClock));
}

/** A clock that was set back makes an old submission look new, so that is remembered when seen. */
async function watchClock(pending: PendingSubmission): Promise<PendingSubmission> {
  if (pending.doubtful || Date.now() >= pending.at - CLOCK_SLACK_MS) return pending;
  const doubtful = { ...pending, doubtful: true };
  await putPending(doubtful);
  return doubtful;
}

/** Keeps a submission that is about to be sent, in the place of one that the person has changed. */
export async function keepPending(pending: PendingSubmission, replaces?: string): Promise<void> {
  await putPending(pending, replaces);
}

/** Its receipt is kept, or the person was told that nothing more can be known. */
export function forgetPending({ key }: Pick<PendingSubmission, "key">): Promise<void> {
  return deletePending(key);
}

/**
 * Sends a pending submission, again or for the first time, with its own key and bytes. Call it only
 * with a `submit` of the person whose it is. Two tabs take turns; the server's idempotency covers
 * browsers without Web Locks.
 */
export function replayPending(pending: PendingSubmission, submit: Submit): Promise<PendingOutcome> {
  return inTurn(pending.key, async () => {
    const outcome = await outcomeOf(await currentOf(pending), submit);
    if (outcome.state === "refused") await deletePending(pending.key);
    return outcome;
  });
}

/**
 * `replayPending` without a screen that waits: the outcome is kept with the submission, for the next
 * `replayPending` to tell. Nothing that the person has not been told of is forgotten.
 */
export function settlePending(pending: PendingSubmission, submit: Submit): Promise<PendingOutcome> {
  return inTurn(pending.key, async () => {
    const current = await currentOf(pending);
    const outcome = await outcomeOf(current, submit);
    const { unsent: _, ...sent } = current ?? pending;
    if (outcome.state === "recorded")
      await putPending({ ...sent, settled: { answer: outcome.answer } });
    if (outcome.state === "refused")
      await putPending({ ...sent, settled: { failure: outcome.failure } });
    return outcome;
  });
}

async function currentOf(pending: PendingSubmission): Promise<PendingSubmission | undefined> {
  return (await allPending()).find(({ key }) => key === pending.key);
}

async function outcomeOf(
  current: PendingSubmission | undefined,
  submit: Submit,
): Promise<PendingOutcome> {
  if (!current) return { state: "gone" };
  const { settled } = current;
  if (settled)
    return "answer" in settled
      ? { state: "recorded", ...settled }
      : { state: "refused", ...settled };
  if (isExpired(current, new Date())) return { state: "expired" };
  const { unsent, ...begun } = current;
  const wasOffline = isOffline();
  // Not "unsent" from here on, also for whoever finds it after this page was killed.
  if (unsent) await putPending(begun);
  try {
    const answer = await submit(JSON.parse(current.body), { idempotencyKey: current.key });
    return { state: "recorded", answer };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.final) return { state: "refused", failure };
    if (!unsent || !wasOffline || !isOffline() || failure.kind !== "offline")
      return { state: "unanswered", failure };
    // The words for it say "kept on this device", so it has to be.
    if (await putPending(current))
      return { state: "unanswered", failure: { kind: "unsent", final: false } };
    await putPending(begun);
    return { state: "unanswered", failure };
  }
}

async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const locks = globalThis.navigator?.locks;
  if (!locks) return work();
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), TURN_DEADLINE_MS);
  try {
    return await locks.request(
      `musette.submission.${key}`,
      { signal: patience.signal },
      async () => {
        clearTimeout(timer);
        return work();
      },
    );
  } catch (error) {
    if (patience.signal.aborted) return work();
    throw error;
  }
}
