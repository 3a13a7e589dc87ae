import { findPending, keepPending, type SubmissionAnswer } from "@musette/client/terms";
import { beforeEach, expect, it, vi } from "vitest";
import { fakeIndexedDb } from "../../../../packages/client/src/terms/testing/indexed-db";
import { createContest, pendingContest, settleContests } from "./contest-queue";

const ID = "0f8fad5b-d9cb-469f-a165-70867728950e";
const OTHER = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
const body = { version: 2, message: "I was there on time." };
const send = vi.fn<typeof fetch>();
const problem = (status: number, code: string) =>
  new Response(JSON.stringify({ code }), {
    status,
    headers: { "Content-Type": "application/problem+json" },
  });

beforeEach(() => {
  vi.stubGlobal("indexedDB", fakeIndexedDb().indexedDB);
  send.mockReset();
});

const keep = async (id: string) => {
  const contest = createContest("rider-1", id, body, new Date());
  await keepPending(contest);
  return contest;
};

it("sends each contest with its own key, and stores the answer for the page", async () => {
  const contest = await keep(ID);
  send.mockResolvedValue(Response.json({}));
  expect(await settleContests("rider-1", send)).toBe(true);
  const [url, init] = send.mock.calls[0] ?? [];
  expect(url).toBe(`/api/rooster/v3/riders/rider-1/evaluations/${ID}/discussion`);
  expect(new Headers(init?.headers).get("Idempotency-Key")).toBe(contest.key);
  expect(JSON.parse(String(init?.body))).toEqual(body);
  expect((await pendingContest("rider-1", ID))?.settled).toEqual({ answer: { state: "recorded" } });
  // The page has not shown the answer yet. It is not sent again meanwhile.
  await settleContests("rider-1", send);
  expect(send).toHaveBeenCalledTimes(1);
});

it("stores the server's code of a rejected contest", async () => {
  await keep(ID);
  send.mockResolvedValue(problem(409, "contest_closed"));
  expect(await settleContests("rider-1", send)).toBe(true);
  const answer = { state: "rejected", code: "contest_closed" };
  expect((await pendingContest("rider-1", ID))?.settled).toEqual({ answer });
});

it("sends the next contest although one has no answer", async () => {
  await keep(ID);
  await keep(OTHER);
  send.mockImplementation(async (url) =>
    String(url).includes(ID) ? new Response("", { status: 503 }) : Response.json({}),
  );
  expect(await settleContests("rider-1", send)).toBe(false);
  expect((await pendingContest("rider-1", ID))?.settled).toBeUndefined();
  expect((await pendingContest("rider-1", OTHER))?.settled).toBeDefined();
});

it("is invisible to the consent screen and to other riders", async () => {
  await keep(ID);
  expect(await findPending<SubmissionAnswer>({ userId: "rider-1" })).toEqual([]);
  expect(await pendingContest("rider-2", ID)).toBeUndefined();
  await settleContests("rider-2", send);
  expect(send).not.toHaveBeenCalled();
});
