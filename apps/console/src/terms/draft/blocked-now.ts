import type { DraftBody } from "./draft";
import type { DraftCheck } from "./draft-calls";

/** Returns the time from which riders who have not accepted are blocked, or undefined for now. */
export function blocksLaterFrom(body: DraftBody, now = Date.now()): string | undefined {
  const from = body.grace_until ?? body.effective_from;
  return from !== undefined && new Date(from).getTime() > now ? from : undefined;
}

/** Returns the number of riders who cannot work from the moment of publication. */
export function blockedNow(check: DraftCheck, body: DraftBody, now = Date.now()): number {
  const isBlocking = body.mandatory && !body.minor && blocksLaterFrom(body, now) === undefined;
  return isBlocking ? check.riders_asked : 0;
}
