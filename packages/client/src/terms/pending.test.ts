import { beforeEach, describe, expect, it, vi } from "vitest";
import { HttpError, type Problem } from "../http";
import {
  findPending,
  forgetPending,
  isExpired,
  keepPending,
  replayPending,
  settlePending,
} from "./pending";
import { allPending } from "./pending-storage";
import type { PendingSubmission } from "./pending-submission";
import type { SubmissionAnswer } from "./submission";
import { fakeIndexedDb } from "./testing/indexed-db";
import { isOfVisit } from "./visit";

const HOUR_MS = 3600_000;
const body = '{"user_id":"r1","user_type":"RIDER","consents":[{"accepted":true}]}';

function pending(over: Partial<PendingSubmission> = {}): PendingSubmission {
  const base = { userId: "r1", termsType: "FREELANCER", baseUrl: "/api/rooster/v3" };
  return { ...base, key: "k".repeat(32), body, at: Date.now(), ...over };
}

const answer = { receipt: { id: "R" } } as SubmissionAnswer;

function httpError(status: number, code?: string): HttpError {
  return new HttpError(new Response(null, { status }), code ? ({ code } as Problem) : undefined);
}

beforeEach(async () => {
  vi.stubGlobal("indexedDB", fakeIndexedDb().indexedDB);
  for (const { key } of await allPending()) await forgetPending({ key });
});

describe("findPending", () => {
  it("returns submissions of exactly this account, type and service", async () => {
    await keepPending(pending({ key: "a" }));
    await keepPending(pending({ key: "b", userId: "" }));
    await keepPending(pending({ key: "c", termsType: "COURIER", at: Date.now() - 60_000 }));
    await keepPending(pending({ key: "d", baseUrl: "https://other.example" }));
    const keys = async (owner: Parameters<typeof findPending>[0]) =>
      (await findPending(owner)).map(({ key }) => key);
    expect(await keys({ userId: "r1" })).toEqual(["c", "a"]);
    expect(await keys({ userId: "r1", termsType: "FREELANCER" })).toEqual(["a"]);
    expect(await keys({})).toEqual(["b"]);
    expect(await keys({ userId: "r2" })).toEqual([]);
    expect(await keys({ userId: "r1", baseUrl: "https://other.example" })).toEqual(["d"]);
  });

  it("returns an applicant's submissions for one market, for no market, or for all", async () => {
    const keep = (key: string, market?: string, at = Date.now()) =>
      keepPending(pending({ key, userId: "", at, ...(market && { market }) }));
    await keep("berlin", "DE-BE", Date.now() - 3);
    await keep("montevideo", "UY.montevideo", Date.now() - 2);
    await keep("everywhere");
    const keys = async (owner: Parameters<typeof findPending>[0]) =>
      (await findPending(owner)).map(({ key }) => key);
    expect(await keys({ market: "DE-BE" })).toEqual(["berlin"]);
    expect(await keys({ market: "DE" })).toEqual([]);
    expect(await keys({ market: null })).toEqual(["everywhere"]);
    expect(await keys({})).toEqual(["berlin", "montevideo", "everywhere"]);
  });

  it("removes submissions of all users after a month", async () => {
    await keepPending(pending({ at: Date.now() - 31 * 24 * HOUR_MS }));
    expect(await findPending({ userId: "r2" })).toEqual([]);
    expect(await allPending()).toEqual([]);
  });

  it("does not return a submission that was replaced", async () => {
    await keepPending(pending({ key: "old" }));
    await keepPending(pending({ key: "new" }), "old");
    expect((await findPending({ userId: "r1" })).map(({ key }) => key)).toEqual(["new"]);
  });
});

describe("replay", () => {
  it("sends the same key and bytes, and stays pending until forgetPending", async () => {
    await keepPending(pending());
    const submit = vi.fn(async () => answer);
    expect(await replayPending(pending(), submit)).toEqual({ state: "recorded", answer });
    const [submission, options] = submit.mock.calls[0] as unknown as [unknown, unknown];
    expect(JSON.stringify(submission)).toBe(body);
    expect(options).toEqual({ idempotencyKey: "k".repeat(32) });
    expect(await findPending({ userId: "r1" })).toHaveLength(1);
    await forgetPending(pending());
    expect(await findPending({ userId: "r1" })).toEqual([]);
    expect(await replayPending(pending(), submit)).toEqual({ state: "gone" });
    expect(submit).toHaveBeenCalledOnce();
  });

  it.each([
    new TypeError("Failed to fetch"),
    httpError(503, "unavailable"),
    httpError(401, "unauthenticated"),
    httpError(429, "rate_limited"),
    httpError(409, "idempotency_key_in_use"),
    httpError(404),
  ])("leaves it pending after %s", async (error) => {
    await keepPending(pending());
    const outcome = await replayPending(pending(), () => Promise.reject(error));
    expect(outcome.state).toBe("unanswered");
    expect(await findPending({ userId: "r1" })).toHaveLength(1);
  });

  it("removes it after a final rejection of the server", async () => {
    await keepPending(pending());
    const error = httpError(409, "terms_changed");
    const outcome = await replayPending(pending(), () => Promise.reject(error));
    expect(outcome).toEqual({ state: "refused", failure: { kind: "changed", final: true } });
    expect(await findPending({ userId: "r1" })).toEqual([]);
  });

  it("sends nothing if the server may have removed the key", async () => {
    const old = pending({ at: Date.now() - 7 * 24 * HOUR_MS });
    await keepPending(old);
    const submit = vi.fn();
    expect(await replayPending(old, submit)).toEqual({ state: "expired" });
    expect(submit).not.toHaveBeenCalled();
    expect(isExpired(pending({ at: Date.now() - 6 * 24 * HOUR_MS }), new Date())).toBe(false);
  });

  it("marks the submission as doubtful if the clock was set back", async () => {
    await keepPending(pending({ at: Date.now() + 24 * HOUR_MS }));
    const [marked] = await findPending({ userId: "r1" });
    expect(marked?.doubtful).toBe(true);
    vi.useFakeTimers({ now: Date.now() + 25 * HOUR_MS, toFake: ["Date"] });
    expect((await findPending({ userId: "r1" }))[0]?.doubtful).toBe(true);
    expect(isExpired(marked as PendingSubmission, new Date())).toBe(true);
    vi.useRealTimers();
  });

  it("two tabs send one after the other", async () => {
    const turns: Promise<unknown>[] = [Promise.resolve()];
    const request = (_: string, __: unknown, work: () => Promise<unknown>) => {
      const turn = (turns.at(-1) as Promise<unknown>).then(work);
      turns.push(turn.catch(() => {}));
      return turn;
    };
    vi.stubGlobal("navigator", { locks: { request } });
    await keepPending(pending());
    const submit = vi.fn(async () => {
      await forgetPending(pending());
      return answer;
    });
    const both = await Promise.all([1, 2].map(() => replayPending(pending(), submit)));
    expect(both.map(({ state }) => state)).toEqual(["recorded", "gone"]);
    expect(submit).toHaveBeenCalledOnce();
  });

  it("sends without the lock after 10 s", async () => {
    await keepPending(pending());
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const request = (_: string, { signal }: { signal: AbortSignal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    vi.stubGlobal("navigator", { locks: { request } });
    const outcome = replayPending(pending(), async () => answer);
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await outcome).state).toBe("recorded");
    vi.useRealTimers();
  });
});

describe("a submission confirmed without a network", () => {
  const offline = () => Promise.reject(new TypeError("Failed to fetch"));
  const readPending = async () => (await findPending({ userId: "r1" }))[0];

  it("is unsent until an attempt starts with a network", async () => {
    vi.stubGlobal("navigator", { onLine: false });
    await keepPending(pending({ unsent: true }));
    const failure = { kind: "unsent", final: false };
    expect(await replayPending(pending(), offline)).toEqual({ state: "unanswered", failure });
    expect((await readPending())?.unsent).toBe(true);
    vi.stubGlobal("navigator", { onLine: true });
    const outcome = await replayPending(pending(), async () => {
      // If the page were killed here, the submission might have been sent.
      expect((await readPending())?.unsent).toBeUndefined();
      return offline();
    });
    expect(outcome).toMatchObject({ failure: { kind: "offline" } });
    expect((await readPending())?.unsent).toBeUndefined();
  });

  it("may have been sent if there was a network for a moment", async () => {
    vi.stubGlobal("navigator", { onLine: false });
    await keepPending(pending({ unsent: true }));
    const outcome = await replayPending(pending(), () => {
      vi.stubGlobal("navigator", { onLine: true });
      return offline();
    });
    expect(outcome).toMatchObject({ failure: { kind: "offline" } });
  });

  it("is settled once, and the next replay returns the outcome without a request", async () => {
    await keepPending(pending({ unsent: true }));
    const submit = vi.fn(async () => answer);
    await settlePending(pending(), submit);
    await settlePending(pending(), submit);
    expect((await readPending())?.unsent).toBeUndefined();
    expect(await replayPending(pending(), submit)).toEqual({ state: "recorded", answer });
    expect(submit).toHaveBeenCalledOnce();
  });

  it("keeps a rejection until a screen has shown it", async () => {
    await keepPending(pending());
    await settlePending(pending(), () => Promise.reject(httpError(409, "terms_changed")));
    expect(await readPending()).toBeDefined();
    const submit = vi.fn();
    expect(await replayPending(pending(), submit)).toMatchObject({ state: "refused" });
    expect(submit).not.toHaveBeenCalled();
    expect(await readPending()).toBeUndefined();
  });
});

describe.each([
  ["is blocked", undefined],
  [
    "throws",
    {
      open: () => {
        throw new Error("SecurityError");
      },
    },
  ],
  ["never answers", { open: () => ({}) }],
])("where IndexedDB %s", (_, indexedDB) => {
  it("works in memory", async () => {
    vi.stubGlobal("indexedDB", indexedDB);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const advanceTimers = async <T>(work: Promise<T>) => {
      await vi.advanceTimersByTimeAsync(10_000);
      return work;
    };
    await advanceTimers(keepPending(pending()));
    expect(await advanceTimers(findPending({ userId: "r1" }))).toEqual([
      pending({ at: expect.any(Number) }),
    ]);
    const outcome = await advanceTimers(replayPending(pending(), async () => answer));
    expect(outcome.state).toBe("recorded");
    await advanceTimers(forgetPending(pending()));
    expect(await advanceTimers(findPending({ userId: "r1" }))).toEqual([]);
    vi.useRealTimers();
  });

  it("reports offline instead of unsent, because the submission is not stored", async () => {
    vi.stubGlobal("indexedDB", indexedDB);
    vi.stubGlobal("navigator", { onLine: false });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const advanceTimers = async <T>(work: Promise<T>) => {
      await vi.advanceTimersByTimeAsync(10_000);
      return work;
    };
    await advanceTimers(keepPending(pending({ unsent: true })));
    const outcome = await advanceTimers(
      replayPending(pending(), () => Promise.reject(new TypeError("Failed to fetch"))),
    );
    expect(outcome).toMatchObject({ state: "unanswered", failure: { kind: "offline" } });
    expect((await advanceTimers(findPending({ userId: "r1" })))[0]?.unsent).toBeUndefined();
    await advanceTimers(forgetPending(pending()));
    vi.useRealTimers();
  });
});

it("isOfVisit returns true for a recent submission of the same visit", () => {
  const now = new Date();
  const minutes = (n: number) => now.getTime() - n * 60_000;
  expect(isOfVisit({ visit: "v", at: minutes(1) }, "v", now)).toBe(true);
  expect(isOfVisit({ visit: "v", at: minutes(16) }, "v", now)).toBe(false);
  expect(isOfVisit({ visit: "v", at: minutes(-1) }, "v", now)).toBe(false);
  expect(isOfVisit({ visit: "v", at: minutes(1) }, "w", now)).toBe(false);
  expect(isOfVisit({ at: minutes(1) }, undefined, now)).toBe(false);
});
