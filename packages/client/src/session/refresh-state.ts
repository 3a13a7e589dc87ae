import type { Reason } from "./failure";
import { decode, isExpired } from "./token";

/*
 * The decisions, without a clock, a promise or a browser. Whether somebody is signed in is no
 * state of its own: the cookies say so, since a host may write them behind our back.
 */

export type State =
  | { readonly phase: "idle" }
  | { readonly phase: "refreshing"; readonly failures: number }
  | { readonly phase: "suspended"; readonly failures: number; readonly delayMs: number };

export type Event =
  /** A request needs a new token. */
  | { readonly type: "needed" }
  /** Online again, visible again, or the delay is over. */
  | { readonly type: "woken" }
  /** `random` in [0, 1) spreads the tries of many devices. */
  | { readonly type: "unanswered"; readonly retryAfterMs: number; readonly random: number }
  /** There is a new token, or no session any more. */
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

/** A request that was answered with 401 or 403, and what is known now. */
export interface RejectedRequest {
  readonly status: number;
  /** The token that it was sent with. */
  readonly sent: string | undefined;
  readonly current: string | undefined;
  readonly retried: boolean;
  /** Whether there is a refresh token to try. */
  readonly refreshable: boolean;
  /** The server's time, as far as it is known. */
  readonly nowMs: number;
}

export function decideRetry(refusal: RejectedRequest): "replay" | "refresh" | "reject" | Reason {
  const { status, sent, current, retried } = refusal;
  if (!current) return "missing_token";
  if (current !== sent) {
    // Never replay one person's request with the token of the next who signed in on this device.
    const sub = decode(sent)?.sub;
    return retried || (sub && sub !== decode(current)?.sub) ? "reject" : "replay";
  }
  const claims = decode(current);
  if (!claims) return "invalid_token";
  const expired = isExpired(claims, refusal.nowMs);
  // After a refresh the token is good, whatever a wrong clock says: it is the permission.
  if (status === 403 && (retried || !expired)) return "forbidden";
  if (retried) return "retried";
  if (!refusal.refreshable) return "missing_token";
  return expired ? "refresh" : "not_expired";
}
