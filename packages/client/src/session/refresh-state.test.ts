import { describe, expect, it } from "vitest";
import {
  DELAY_MAX_MS,
  decideRetry,
  type Event,
  IDLE,
  type RejectedRequest,
  type State,
  step,
} from "./refresh-state";
import { token } from "./testing/service";

const NOW_MS = 1_795_253_400_000;
const good = token({ sub: "r1", exp: NOW_MS / 1000 + 1 });
const newer = token({ sub: "r1", exp: NOW_MS / 1000 + 900 });
const expired = token({ sub: "r1", exp: NOW_MS / 1000 });
const other = token({ sub: "r2", exp: NOW_MS / 1000 + 900 });

function decide(over: Partial<RejectedRequest>) {
  return decideRetry({
    status: 401,
    sentToken: expired,
    current: expired,
    retried: false,
    refreshable: true,
    nowMs: NOW_MS,
    isTimeKnown: true,
    ...over,
  });
}

describe("decideRetry", () => {
  it.each<[string, Partial<RejectedRequest>, string]>([
    ["expired", {}, "refresh"],
    ["expired, 403", { status: 403 }, "refresh"],
    ["expired, and retried", { retried: true }, "retried"],
    ["not expired", { sentToken: good, current: good }, "not_expired"],
    ["not expired, and retried", { sentToken: good, current: good, retried: true }, "retried"],
    ["not expired, 403", { sentToken: good, current: good, status: 403 }, "forbidden"],
    ["403 after a refresh, on a wrong clock", { status: 403, retried: true }, "forbidden"],
    [
      "403 without a refresh token",
      { sentToken: good, current: good, status: 403, refreshable: false },
      "forbidden",
    ],
    ["no refresh token", { refreshable: false }, "missing_token"],
    ["no token", { sentToken: undefined, current: undefined }, "missing_token"],
    ["no token any more", { current: undefined }, "missing_token"],
    ["undecodable", { sentToken: "x", current: "x" }, "invalid_token"],
    ["late, for a token that was replaced", { current: newer }, "replay"],
    ["late, and retried", { current: newer, retried: true }, "reject"],
    ["late, and another user is signed in", { current: other }, "reject"],
    ["signed in meanwhile", { sentToken: undefined, current: newer }, "replay"],
  ])("%s", (_, rejected, expected) => {
    expect(decide(rejected)).toBe(expected);
  });
});

const unanswered: Event = { type: "unanswered", retryAfterMs: 0, random: 1 };
const suspended: State = { phase: "suspended", failures: 1, delayMs: 4_000 };

describe("step", () => {
  it.each<[State, Event, State]>([
    [IDLE, { type: "needed" }, { phase: "refreshing", failures: 0 }],
    [IDLE, { type: "woken" }, IDLE],
    [IDLE, unanswered, IDLE],
    [{ phase: "refreshing", failures: 0 }, unanswered, suspended],
    [
      { phase: "refreshing", failures: 0 },
      { type: "needed" },
      { phase: "refreshing", failures: 0 },
    ],
    [{ phase: "refreshing", failures: 0 }, { type: "woken" }, { phase: "refreshing", failures: 0 }],
    [{ phase: "refreshing", failures: 3 }, { type: "over" }, IDLE],
    [suspended, { type: "woken" }, { phase: "refreshing", failures: 1 }],
    [suspended, { type: "needed" }, { phase: "refreshing", failures: 1 }],
    [suspended, unanswered, suspended],
    [suspended, { type: "over" }, IDLE],
  ])("%j, %j", (state, event, next) => {
    expect(step(state, event)).toEqual(next);
  });

  it("returns the same object if the state does not change", () => {
    const state: State = { phase: "refreshing", failures: 0 };
    expect(step(state, { type: "needed" })).toBe(state);
    expect(step(state, { type: "woken" })).toBe(state);
  });

  it("waits between 2 and 60 seconds, and at least as long as Retry-After", () => {
    const delay = (failures: number, random: number, retryAfterMs = 0) => {
      const next = step(
        { phase: "refreshing", failures },
        { type: "unanswered", retryAfterMs, random },
      );
      return next.phase === "suspended" && next.delayMs;
    };
    expect(delay(0, 0)).toBe(2_000);
    expect(delay(0, 0.9)).toBe(3_600);
    expect(delay(3, 0.5)).toBe(16_000);
    expect(delay(2_000, 1)).toBe(DELAY_MAX_MS);
    expect(delay(0, 0, 30_000)).toBe(30_000);
    expect(delay(0, 0, 86_400_000)).toBe(DELAY_MAX_MS);
  });
});
