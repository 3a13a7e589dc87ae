// @vitest-environment happy-dom
import { findPending, keepPending, type SubmissionAnswer } from "@musette/client/terms";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fakeIndexedDb } from "../../../../packages/client/src/terms/testing/indexed-db";
import { startSending } from "./background";
import { createAttempt } from "./decide";
import { termsClient } from "./terms-client";

vi.mock("../session/session", () => ({ session: { getState: () => ({}) } }));

const answer: SubmissionAnswer = {
  user_id: "",
  user_type: "APPLICANT",
  consents: [],
  recorded_at: "2026-11-21T09:30:00.000Z",
  receipt: { id: "receipt-1" },
};
const send = vi.fn<typeof fetch>();
const listener = vi.fn();
const by = { userId: undefined, receiptId: undefined, locale: "en" };
const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  vi.stubGlobal("fetch", send);
  vi.stubGlobal("indexedDB", fakeIndexedDb().indexedDB);
  addEventListener("online", listener);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("is retried after a temporarily refused tap, but not before the server allows it", async () => {
  startSending(() => "en");
  await later(100);
  const headers = { "Content-Type": "application/problem+json", "Retry-After": "17" };
  const tooMany = () => new Response('{"code":"rate_limited"}', { status: 429, headers });
  send.mockImplementation(async () => tooMany());
  const pending = createAttempt(true, { id: 15 }, by, new Date());
  await keepPending(pending);
  const call = { idempotencyKey: pending.key };
  const tap = termsClient("en", undefined).submitConsents(JSON.parse(pending.body), call);
  await expect(tap).rejects.toThrow();
  expect(send).toHaveBeenCalledTimes(1);

  send.mockImplementation(async () => Response.json(answer, { status: 201 }));
  await later(16_000);
  expect(send).toHaveBeenCalledTimes(1);
  expect(listener).not.toHaveBeenCalled();
  await later(2_000);
  expect(send).toHaveBeenCalledTimes(2);
  const keys = send.mock.calls.map(([, init]) => new Headers(init?.headers).get("Idempotency-Key"));
  expect(new Set(keys)).toEqual(new Set([pending.key]));
  // The screen finds the stored answer; nothing is sent again for it.
  expect(listener).toHaveBeenCalledOnce();
  expect((await findPending({}))[0]?.settled).toEqual({ answer });
  await later(120_000);
  expect(send).toHaveBeenCalledTimes(2);
  expect(listener).toHaveBeenCalledOnce();
});
