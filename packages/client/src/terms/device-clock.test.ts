import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HttpError } from "../http";
import { buildSubmission, keepPending, replayPending, type Submission } from "./index";

const NOW = Date.parse("2026-11-27T09:00:00Z");
const SIX_MINUTES_MS = 6 * 60_000;
const EARLIER = { choices: new Map(), earlier: new Set<number>(), declined: new Set<number>() };

function submission(): Submission {
  return buildSubmission({
    userId: undefined,
    terms: [{ id: 1, type: "FREELANCER", mandatory: true } as never],
    agreement: EARLIER,
    readings: new Map(),
    consentedAt: new Date(),
  });
}

function responseAt(serverMs: number, status: number, body: unknown, cacheControl = "no-store") {
  const headers = {
    date: new Date(serverMs).toUTCString(),
    "cache-control": cacheControl,
    "content-type": status < 400 ? "application/json" : "application/problem+json",
  };
  return new Response(JSON.stringify(body), { status, headers });
}

beforeEach(() => vi.useFakeTimers({ now: NOW, toFake: ["Date"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.resetModules();
});

test("a submission that is rejected because the clock is ahead is corrected and sent again with its key", async () => {
  const requests: { readonly body: Submission; readonly key: string }[] = [];
  const submit = async (body: Submission, { idempotencyKey: key }: { idempotencyKey: string }) => {
    requests.push({ body, key });
    const problem = { status: 422, code: "consented_at_in_future" };
    if (requests.length === 1)
      throw Object.assign(new HttpError(responseAt(NOW - SIX_MINUTES_MS, 422, problem)), {
        problem,
      });
    return { ...body, recorded_at: "", receipt: { id: "r" } } as never;
  };
  const pending = {
    key: "key-1",
    body: JSON.stringify(submission()),
    userId: "",
    termsType: "FREELANCER",
    baseUrl: "/api/rooster/v3",
    at: NOW,
  };
  await keepPending(pending);
  const outcome = await replayPending(pending, submit);
  expect(outcome.state).toBe("recorded");
  expect(requests.map(({ key }) => key)).toEqual(["key-1", "key-1"]);
  expect(requests[1]?.body).toMatchObject({
    device_at: "2026-11-27T09:00:00.000Z",
    clock_offset_ms: 500 - SIX_MINUTES_MS,
    consents: [{ consented_at: "2026-11-27T08:54:00.500Z" }],
  });
});

test.each([
  ["an hour behind", -3_600_000, "no-store", "2026-11-27T09:00:00.500Z", 3_600_500],
  ["an hour ahead", 3_600_000, "no-store", "2026-11-27T09:00:00.500Z", -3_599_500],
  ["correct to the second", 900, "no-store", "2026-11-27T09:00:00.900Z", undefined],
  [
    "unknown, because a cache may have answered",
    3_600_000,
    "max-age=60",
    "2026-11-27T10:00:00.000Z",
    undefined,
  ],
])("a device clock that is %s", async (_, aheadMs, cacheControl, consentedAt, offset) => {
  const { buildSubmission, createTermsClient } = await import("./index");
  vi.setSystemTime(NOW + aheadMs);
  const client = createTermsClient({
    fetch: async () => responseAt(NOW, 200, { consents: [] }, cacheControl),
  });
  await client.fetchConsents("r1");
  const body = buildSubmission({
    userId: "r1",
    terms: [{ id: 1, type: "FREELANCER", mandatory: true } as never],
    agreement: EARLIER,
    readings: new Map(),
    consentedAt: new Date(),
  });
  expect(body.consents[0]?.consented_at).toBe(consentedAt);
  expect(body.clock_offset_ms).toBe(offset);
  expect(body.device_at).toBe(offset && new Date(NOW + aheadMs).toISOString());
});

test("a host whose fetch returns no headers can use the client", async () => {
  const { createTermsClient } = await import("./index");
  const response = { ok: true, status: 200, json: async () => ({ consents: [] }) } as Response;
  const client = createTermsClient({ fetch: async () => response });
  await expect(client.fetchConsents("r1")).resolves.toEqual({ consents: [] });
});
