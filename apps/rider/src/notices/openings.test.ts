// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const user = { userId: "r1" as string | undefined };
vi.mock("../session/session", () => ({
  session: {
    getState: () => user,
    subscribe: () => () => {},
    fetch: (...call: Parameters<typeof fetch>) => fetch(...call),
  },
}));

const KEY = "musette.openings";
const SHA256 = "a".repeat(64);
type SentRequest = { readonly url: string; readonly body: Record<string, string> };

let requests: SentRequest[];
let answer: () => Promise<Response>;

const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ status, code, title: code, detail: code }), {
    status,
    headers: { "Content-Type": "application/problem+json", ...headers },
  });
const settled = () => new Promise((done) => setTimeout(done, 10));
const stored = () => JSON.parse(localStorage.getItem(KEY) ?? "[]");

async function openings() {
  vi.resetModules();
  return import("./openings");
}

beforeEach(() => {
  localStorage.clear();
  user.userId = "r1";
  requests = [];
  answer = async () => Response.json({}, { status: 201 });
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    requests.push({ url, body: JSON.parse(String(init.body)) });
    return answer();
  });
});

afterEach(() => vi.unstubAllGlobals());

it("sends an opening once, with the document that was shown", async () => {
  const { recordOpening, isOpenedHere } = await openings();
  recordOpening("r1", 17, { sha256: SHA256, locale: "de" });
  recordOpening("r1", 17, { sha256: SHA256, locale: "de" });
  await settled();
  expect(requests).toHaveLength(1);
  expect(requests[0]?.url).toBe("/api/rooster/v3/riders/r1/notices/17/openings");
  expect(requests[0]?.body).toMatchObject({ sha256: SHA256, locale: "de" });
  expect(stored()).toEqual([]);
  expect([isOpenedHere("r1", 17), isOpenedHere("r2", 17)]).toEqual([true, false]);
});

it("keeps an opening without an answer, and sends it with its time after a reload", async () => {
  answer = () => Promise.reject(new TypeError("no network"));
  (await openings()).recordOpening("r1", 17, { sha256: SHA256 });
  await settled();
  const at = stored()[0].opened_at;
  expect(stored()).toHaveLength(1);

  answer = async () => Response.json({}, { status: 200 });
  const { isOpenedHere, startSendingOpenings } = await openings();
  expect(isOpenedHere("r1", 17)).toBe(true);
  startSendingOpenings();
  await settled();
  expect(requests.at(-1)?.body.opened_at).toBe(at);
  expect(stored()).toEqual([]);
});

it("sends no opening of another rider", async () => {
  answer = () => Promise.reject(new TypeError("no network"));
  (await openings()).recordOpening("r1", 17, { sha256: SHA256 });
  await settled();
  user.userId = "r2";
  requests = [];
  answer = async () => Response.json({}, { status: 201 });
  await (await openings()).sendOpenings();
  expect(requests).toEqual([]);
  expect(stored()).toHaveLength(1);
});

it("drops an opening that the server refuses each time, and no other", async () => {
  for (const [status, left] of [
    [404, 0],
    [422, 0],
    [401, 1],
    [503, 1],
  ] as const) {
    localStorage.clear();
    answer = async () => problem(status, "any");
    (await openings()).recordOpening("r1", 17, { sha256: SHA256 });
    await settled();
    expect(stored(), `${status}`).toHaveLength(left);
  }
});

it("uses the time of the server if the clock of the phone is ahead", async () => {
  const date = "Sat, 21 Nov 2026 09:30:00 GMT";
  const answers = [problem(422, "opened_at_in_future", { date }), Response.json({})];
  answer = async () => answers.shift() as Response;
  (await openings()).recordOpening("r1", 17, { sha256: SHA256 });
  await settled();
  expect(requests.at(-1)?.body.opened_at).toBe("2026-11-21T09:30:00.000Z");
  expect(stored()).toEqual([]);
});
