import type { Reason } from "./failure";
import { decode, isExpired } from "./token";

/*
 * The decisions as pure functions, without a clock, a promise or a browser. Whether a user is signed in is
 * not part of the state. Only the cookies say so, because a host may write them itself.
 */

export type State =
  | { readonly phase: "idle" }
  | { readonly phase: "refreshing"; readonly failures: number }
  | { readonly phase: "suspended"; readonly failures: number; readonly delayMs: number };

export type Event =
  /** A request needs a new token. */
  | { readonly type: "needed" }
  /** The page is online or visible again, or the delay is over. */
  | { readonly type: "woken" }
  /** The server did not respond. `random` in [0, 1) spreads the retries of many devices. */
  | { readonly type: "unanswered"; readonly retryAfterMs: number; readonly random: number }
  /** There is a new token, or the session has ended. */
  | { readonly type: "over" };

export const IDLE: State = { phase: "idle" };
export const DELAY_MAX_MS = 60_000;
const DELAY_MIN_MS = 2_000;

export function step(state: State, event: Event): State {
  if (event.type === "over") return IDLE;
  if (state.phase === "refreshing") {
    if (event.type !== "unanswered") return state;
    const failures = state.failures + 1;
    const jitter = event.random * Math.min(DELAY_MAX_MS, DELAY_MIN_MS * 2 ** failures);
    const delayMs = Math.min(DELAY_MAX_MS, Math.max(DELAY_MIN_MS, jitter, event.retryAfterMs));
    return { phase: "suspended", failures, delayMs };
  }
  if (event.type === "needed") {
    return { phase: "refreshing", failures: state.phase === "idle" ? 0 : state.failures };
  }
  return event.type === "woken" && state.phase === "suspended"
    ? { phase: "refreshing", failures: state.failures }
    : state;
}

/** A request with a response of 401 or 403, and the current state of the session. */
export interface RejectedRequest {
  readonly status: number;
  /** The token that the request was sent with. */
  readonly sentToken: string | undefined;
  readonly current: string | undefined;
  readonly retried: boolean;
  /** Whether there is a refresh token. */
  readonly refreshable: boolean;
  /** The estimated time of the server. */
  readonly nowMs: number;
  /** Whether that comes from a response, and not from the device's clock alone. */
  readonly isTimeKnown: boolean;
}

export function decideRetry(rejected: RejectedRequest): "replay" | "refresh" | "reject" | Reason {
  const { status, sentToken, current, retried } = rejected;
  if (!current) return "missing_token";
  if (current !== sentToken) {
    // A request of one user is never replayed with the token of the next user of this device.
    const sub = decode(sentToken)?.sub;
    return retried || (sub && sub !== decode(current)?.sub) ? "reject" : "replay";
  }
  const claims = decode(current);
  if (!claims) return "invalid_token";
  // With a clock that is behind, an expired token looks valid: one refresh tells.
  const isTimeInDoubt = status === 401 && !rejected.isTimeKnown;
  const expired = isExpired(claims, rejected.nowMs) || isTimeInDoubt;
  // After a refresh the token is valid even if a wrong clock says otherwise. The user lacks the permission.
  if (status === 403 && (retried || !expired)) return "forbidden";
  if (retried) return "retried";
  if (!rejected.refreshable) return "missing_token";
  return expired ? "refresh" : "not_expired";
}
