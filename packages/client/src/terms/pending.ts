import { withClockOffset } from "./device-clock";
import { type Failure, failureOf, isOffline } from "./failure";
import { allPending, deletePending, putPending } from "./pending-storage";
import type { PendingSubmission } from "./pending-submission";
import { DEFAULT_BASE_URL } from "./reads";
import type { Submission, SubmissionAnswer } from "./submission";
import type { SubmitOptions } from "./terms-client";

/** The owner whose pending submissions to find. */
export interface PendingOwner {
  /** The id of the user; undefined or empty for an applicant. */
  readonly userId?: string | undefined;
  /** The address of the terms API. Default `DEFAULT_BASE_URL`. */
  readonly baseUrl?: string | undefined;
  /** The type of terms. Default: all types. */
  readonly termsType?: string | undefined;
  /** The market of an applicant; null for no market, undefined for every market. */
  readonly market?: string | null | undefined;
}

/** The outcome of `replayPending`. */
export type PendingOutcome<Answer = SubmissionAnswer> =
  /** The server has recorded it, now or earlier. Call `forgetPending` after you have stored the receipt. */
  | { readonly state: "recorded"; readonly answer: Answer }
  /** There was no response. It stays pending. */
  | { readonly state: "unanswered"; readonly failure: Failure }
  /** The server has rejected it, so nothing is recorded. It is no longer pending. */
  | { readonly state: "refused"; readonly failure: Failure }
  /** It is not sent, because the server keeps keys for seven days and might record it twice. */
  | { readonly state: "expired" }
  /** Another tab or page has settled it meanwhile. */
  | { readonly state: "gone" };

/** A function that sends a submission, such as `submitConsents` of a client. */
export type Submit<Body = Submission, Answer = SubmissionAnswer> = (
  body: Body,
  options: SubmitOptions,
) => Promise<Answer>;

/** One hour less than the server's seven days, to allow for transit time and clock drift. */
const KEY_LIFETIME_MS = (7 * 24 - 1) * 3600_000;
/** The time after which a submission is removed, so that the id of a user does not stay on this device. */
const RETENTION_MS = 30 * 24 * 3600_000;
const CLOCK_SLACK_MS = 5 * 60_000;
/** Limit for the lock, because a frozen tab may hold it forever. */
const LOCK_DEADLINE_MS = 10_000;

/** Returns whether the submission is too old to send, because the server may have removed its key. */
export function isExpired({ at, doubtful }: PendingSubmission<unknown>, now: Date): boolean {
  return doubtful === true || now.getTime() - at > KEY_LIFETIME_MS;
}

/**
 * Returns the pending submissions, oldest first: of exactly this account or, without a user id, of the
 * applicants on this device. An applicant's submission may be from another person. You may replay it, but
 * ask the user whether it is theirs before you show its receipt, unless it is from the current visit
 * (`isOfVisit`).
 */
export async function findPending<Answer = SubmissionAnswer>(
  owner: PendingOwner,
): Promise<readonly PendingSubmission<Answer>[]> {
  const { userId = "", baseUrl = DEFAULT_BASE_URL, termsType, market } = owner;
  const all = await allPending<Answer>();
  const isTooOld = ({ at }: PendingSubmission<Answer>) => Date.now() - at > RETENTION_MS;
  await Promise.all(all.filter(isTooOld).map(forgetPending));
  const own = all.filter(
    (pending) =>
      !isTooOld(pending) &&
      pending.userId === userId &&
      pending.baseUrl === baseUrl &&
      (termsType === undefined || pending.termsType === termsType) &&
      (market === undefined || userId !== "" || (pending.market ?? null) === market),
  );
  return Promise.all(own.sort((a, b) => a.at - b.at).map(markIfDoubtful));
}

/** Marks a submission as doubtful if the clock was set back, because it would look newer than it is. */
async function markIfDoubtful<Answer>(
  pending: PendingSubmission<Answer>,
): Promise<PendingSubmission<Answer>> {
  if (pending.doubtful || Date.now() >= pending.at - CLOCK_SLACK_MS) return pending;
  const doubtful = { ...pending, doubtful: true };
  await putPending(doubtful);
  return doubtful;
}

/** Stores a submission before it is sent. Removes the submission with the key `replaces`. */
export async function keepPending(
  pending: PendingSubmission<unknown>,
  replaces?: string,
): Promise<void> {
  await putPending(pending, replaces);
}

/** Removes a submission. Call it after you have stored the receipt or told the user that the outcome is unknown. */
export function forgetPending({ key }: Pick<PendingSubmission<unknown>, "key">): Promise<void> {
  return deletePending(key);
}

/**
 * Sends a pending submission, again or for the first time, with its own key and bytes. `submit` must belong
 * to the user of the submission. Two tabs send one after the other. In browsers without Web Locks the
 * idempotency of the server prevents a second record.
 */
export function replayPending<Body = Submission, Answer = SubmissionAnswer>(
  pending: PendingSubmission<Answer>,
  submit: Submit<Body, Answer>,
): Promise<PendingOutcome<Answer>> {
  return withLock(pending.key, async () => {
    const outcome = await sendOnce(await readCurrent(pending), submit);
    if (outcome.state === "refused") await deletePending(pending.key);
    return outcome;
  });
}

/**
 * Sends a pending submission while no consent screen waits for it. The outcome is stored with the submission,
 * and the next `replayPending` returns it. The submission stays until the user has seen its outcome.
 */
export function settlePending<Body = Submission, Answer = SubmissionAnswer>(
  pending: PendingSubmission<Answer>,
  submit: Submit<Body, Answer>,
): Promise<PendingOutcome<Answer>> {
  return withLock(pending.key, async () => {
    const current = await readCurrent(pending);
    const outcome = await sendOnce(current, submit);
    const { unsent: _, ...base } = current ?? pending;
    if (outcome.state === "recorded")
      await putPending({ ...base, settled: { answer: outcome.answer } });
    if (outcome.state === "refused")
      await putPending({ ...base, settled: { failure: outcome.failure } });
    return outcome;
  });
}

async function readCurrent<Answer>(
  pending: PendingSubmission<Answer>,
): Promise<PendingSubmission<Answer> | undefined> {
  return (await allPending<Answer>()).find(({ key }) => key === pending.key);
}

async function sendOnce<Body, Answer>(
  current: PendingSubmission<Answer> | undefined,
  submit: Submit<Body, Answer>,
): Promise<PendingOutcome<Answer>> {
  if (!current) return { state: "gone" };
  const { settled } = current;
  if (settled)
    return "answer" in settled
      ? { state: "recorded", ...settled }
      : { state: "refused", ...settled };
  if (isExpired(current, new Date())) return { state: "expired" };
  const { unsent, ...attempted } = current;
  const wasOffline = isOffline();
  // Removes the mark `unsent` first, in case this page is killed during the request.
  if (unsent) await putPending(attempted);
  try {
    return { state: "recorded", answer: await submitCorrected(attempted, submit) };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.final) return { state: "refused", failure };
    if (!unsent || !wasOffline || !isOffline() || failure.kind !== "offline")
      return { state: "unanswered", failure };
    // The message for `unsent` says "kept on this device", so the submission must be stored.
    if (await putPending(current))
      return { state: "unanswered", failure: { kind: "unsent", final: false } };
    await putPending(attempted);
    return { state: "unanswered", failure };
  }
}

/**
 * Sends a submission. If the server rejects its times because the device's clock is ahead, it corrects them
 * and sends it once more. It stores the corrected bytes first, so that a later retry sends the same ones.
 */
async function submitCorrected<Body, Answer>(
  pending: PendingSubmission<Answer>,
  submit: Submit<Body, Answer>,
): Promise<Answer> {
  const { body, key } = pending;
  try {
    return await submit(JSON.parse(body), { idempotencyKey: key });
  } catch (error) {
    // Only a submission of consents is rejected for this reason.
    const { clockOffsetMs } = failureOf(error);
    if (clockOffsetMs === undefined) throw error;
    const corrected = JSON.stringify(withClockOffset(JSON.parse(body), clockOffsetMs));
    await putPending({ ...pending, body: corrected });
    return submit(JSON.parse(corrected), { idempotencyKey: key });
  }
}

async function withLock<T>(key: string, work: () => Promise<T>): Promise<T> {
  const locks = globalThis.navigator?.locks;
  if (!locks) return work();
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), LOCK_DEADLINE_MS);
  try {
    return await locks.request(
      `musette.submission.${key}`,
      { signal: timeout.signal },
      async () => {
        clearTimeout(timer);
        return work();
      },
    );
  } catch (error) {
    if (timeout.signal.aborted) return work();
    throw error;
  }
}
