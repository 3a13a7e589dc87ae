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

function refusal(status: number, code?: string): HttpError {
  return new HttpError(new Response(null, { status }), code ? ({ code } as Problem) : undefined);
}

beforeEach(async () => {
  vi.stubGlobal("indexedDB", fakeIndexedDb().indexedDB);
  for (const { key } of await allPending()) await forgetPending({ key });
});

describe("what is found", () => {
  it("is of exactly this account, type and service", async () => {
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

  it("of an applicant is of one market, of none, or of all", async () => {
    const of = (key: string, market?: string, at = Date.now()) =>
      keepPending(pending({ key, userId: "", at, ...(market && { market }) }));
    await of("berlin", "DE-BE", Date.now() - 3);
    await of("montevideo", "UY.montevideo", Date.now() - 2);
    await of("everywhere");
    const keys = async (owner: Parameters<typeof findPending>[0]) =>
      (await findPending(owner)).map(({ key }) => key);
    expect(await keys({ market: "DE-BE" })).toEqual(["berlin"]);
    expect(await keys({ market: "DE" })).toEqual([]);
    expect(await keys({ market: null })).toEqual(["everywhere"]);
    expect(await keys({})).toEqual(["berlin", "montevideo", "everywhere"]);
  });

  it("goes after a month, whosever it was", async () => {
    await keepPending(pending({ at: Date.now() - 31 * 24 * HOUR_MS }));
    expect(await findPending({ userId: "r2" })).toEqual([]);
    expect(await allPending()).toEqual([]);
  });

  it("does not hold what the person has changed since", async () => {
    await keepPending(pending({ key: "old" }));
    await keepPending(pending({ key: "new" }), "old");
    expect((await findPending({ userId: "r1" })).map(({ key }) => key)).toEqual(["new"]);
  });
});

describe("replay", () => {
  it("sends the same key and bytes, and stays pending until the receipt is kept", async () => {
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
    refusal(503, "unavailable"),
    refusal(401, "unauthenticated"),
    refusal(429, "rate_limited"),
    refusal(409, "idempotency_key_in_use"),
    refusal(404),
  ])("%s leaves it pending", async (error) => {
    await keepPending(pending());
    const outcome = await replayPending(pending(), () => Promise.reject(error));
    expect(outcome.state).toBe("unanswered");
    expect(await findPending({ userId: "r1" })).toHaveLength(1);
  });

  it("a refusal that the server gave ends it", async () => {
    await keepPending(pending());
    const error = refusal(409, "terms_changed");
    const outcome = await replayPending(pending(), () => Promise.reject(error));
    expect(outcome).toEqual({ state: "refused", failure: { kind: "changed", final: true } });
    expect(await findPending({ userId: "r1" })).toEqual([]);
  });

  it("is never tried when the server may have forgotten the key", async () => {
    const old = pending({ at: Date.now() - 7 * 24 * HOUR_MS });
    await keepPending(old);
    const submit = vi.fn();
    expect(await replayPending(old, submit)).toEqual({ state: "expired" });
    expect(submit).not.toHaveBeenCalled();
    expect(isExpired(pending({ at: Date.now() - 6 * 24 * HOUR_MS }), new Date())).toBe(false);
  });

  it("a clock that was set back is remembered, and makes the age unknown", async () => {
    await keepPending(pending({ at: Date.now() + 24 * HOUR_MS }));
    const [found] = await findPending({ userId: "r1" });
    expect(found?.doubtful).toBe(true);
    vi.useFakeTimers({ now: Date.now() + 25 * HOUR_MS, toFake: ["Date"] });
    expect((await findPending({ userId: "r1" }))[0]?.doubtful).toBe(true);
    expect(isExpired(found as PendingSubmission, new Date())).toBe(true);
    vi.useRealTimers();
  });

  it("two tabs take turns", async () => {
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

  it("a lock that is never given up does not hold it up for ever", async () => {
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

describe("what was confirmed without a network", () => {
  const offline = () => Promise.reject(new TypeError("Failed to fetch"));
  const found = async () => (await findPending({ userId: "r1" }))[0];

  it("is unsent until an attempt begins with one", async () => {
    vi.stubGlobal("navigator", { onLine: false });
    await keepPending(pending({ unsent: true }));
    const failure = { kind: "unsent", final: false };
    expect(await replayPending(pending(), offline)).toEqual({ state: "unanswered", failure });
    expect((await found())?.unsent).toBe(true);
    vi.stubGlobal("navigator", { onLine: true });
    const outcome = await replayPending(pending(), async () => {
      // Killed now, nobody could say that it was not sent.
      expect((await found())?.unsent).toBeUndefined();
      return offline();
    });
    expect(outcome).toMatchObject({ failure: { kind: "offline" } });
    expect((await found())?.unsent).toBeUndefined();
  });

  it("may have been sent when there was a network for a moment", async () => {
    vi.stubGlobal("navigator", { onLine: false });
    await keepPending(pending({ unsent: true }));
    const outcome = await replayPending(pending(), () => {
      vi.stubGlobal("navigator", { onLine: true });
      return offline();
    });
    expect(outcome).toMatchObject({ failure: { kind: "offline" } });
  });

  it("is settled once, and told by the next screen without another request", async () => {
    await keepPending(pending({ unsent: true }));
    const submit = vi.fn(async () => answer);
    await settlePending(pending(), submit);
    await settlePending(pending(), submit);
    expect((await found())?.unsent).toBeUndefined();
    expect(await replayPending(pending(), submit)).toEqual({ state: "recorded", answer });
    expect(submit).toHaveBeenCalledOnce();
  });

  it("keeps a refusal until a screen has explained it", async () => {
    await keepPending(pending());
    await settlePending(pending(), () => Promise.reject(refusal(409, "terms_changed")));
    expect(await found()).toBeDefined();
    const submit = vi.fn();
    expect(await replayPending(pending(), submit)).toMatchObject({ state: "refused" });
    expect(submit).not.toHaveBeenCalled();
    expect(await found()).toBeUndefined();
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
  it("it works in memory", async () => {
    vi.stubGlobal("indexedDB", indexedDB);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const waited = async <T>(work: Promise<T>) => {
      await vi.advanceTimersByTimeAsync(10_000);
      return work;
    };
    await waited(keepPending(pending()));
    expect(await waited(findPending({ userId: "r1" }))).toEqual([
      pending({ at: expect.any(Number) }),
    ]);
    const outcome = await waited(replayPending(pending(), async () => answer));
    expect(outcome.state).toBe("recorded");
    await waited(forgetPending(pending()));
    expect(await waited(findPending({ userId: "r1" }))).toEqual([]);
    vi.useRealTimers();
  });

  it("nothing is called unsent, which says that it is kept", async () => {
    vi.stubGlobal("indexedDB", indexedDB);
    vi.stubGlobal("navigator", { onLine: false });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const waited = async <T>(work: Promise<T>) => {
      await vi.advanceTimersByTimeAsync(10_000);
      return work;
    };
    await waited(keepPending(pending({ unsent: true })));
    const outcome = await waited(
      replayPending(pending(), () => Promise.reject(new TypeError("Failed to fetch"))),
    );
    expect(outcome).toMatchObject({ state: "unanswered", failure: { kind: "offline" } });
    expect((await waited(findPending({ userId: "r1" })))[0]?.unsent).toBeUndefined();
    await waited(forgetPending(pending()));
    vi.useRealTimers();
  });
});

it("belongs to the visit in which it was confirmed, moments ago", () => {
  const now = new Date();
  const minutes = (n: number) => now.getTime() - n * 60_000;
  expect(isOfVisit({ visit: "v", at: minutes(1) }, "v", now)).toBe(true);
  expect(isOfVisit({ visit: "v", at: minutes(16) }, "v", now)).toBe(false);
  expect(isOfVisit({ visit: "v", at: minutes(-1) }, "v", now)).toBe(false);
  expect(isOfVisit({ visit: "v", at: minutes(1) }, "w", now)).toBe(false);
  expect(isOfVisit({ at: minutes(1) }, undefined, now)).toBe(false);
});
