// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import { fetchAndStore, removeOtherAnswers, storedAnswer } from "./stored-answers";

const fake = vi.hoisted(() => ({ userId: undefined as string | undefined, sid: "" }));
vi.mock("../session/session", () => ({
  session: {
    getState: () => ({ userId: fake.userId }),
    getToken: () =>
      fake.userId && `h.${btoa(JSON.stringify({ sub: fake.userId, sid: fake.sid }))}.s`,
  },
}));

const HOUR_MS = 3600_000;

function signIn(userId: string | undefined, sid = "s1"): void {
  Object.assign(fake, { userId, sid });
  removeOtherAnswers();
}

beforeEach(() => {
  vi.useRealTimers();
  localStorage.clear();
  signIn("r1");
});

it("returns the last answer to the same person", async () => {
  await fetchAndStore("standing en", async () => "done");
  expect(storedAnswer("standing en")?.value).toBe("done");
  expect(storedAnswer("standing de")).toBeUndefined();
});

it.each([
  ["at a sign-out", undefined, "s1"],
  ["for another person", "r2", "s1"],
  ["at the next sign-in of the same person", "r1", "s2"],
] as const)("nothing is left %s", async (_, userId, sid) => {
  await fetchAndStore("standing en", async () => "done");
  signIn(userId, sid);
  expect(storedAnswer("standing en")).toBeUndefined();
  expect(JSON.stringify(localStorage)).not.toContain("done");
  signIn("r1");
  expect(storedAnswer("standing en")).toBeUndefined();
});

it("reads nothing with another person's token, even before the session reports the change", async () => {
  await fetchAndStore("standing en", async () => "done");
  Object.assign(fake, { userId: "r2", sid: "s2" });
  expect(storedAnswer("standing en")).toBeUndefined();
  await fetchAndStore("terms en", async () => "terms");
  Object.assign(fake, { userId: "r1", sid: "s1" });
  expect(storedAnswer("standing en")).toBeUndefined();
});

it("does not keep an answer that comes after the sign-out", async () => {
  let answer: (value: string) => void = () => {};
  const pending = fetchAndStore(
    "standing en",
    () => new Promise<string>((done) => (answer = done)),
  );
  signIn("r2", "s2");
  answer("done");
  await pending;
  expect(storedAnswer("standing en")).toBeUndefined();
  expect(JSON.stringify(localStorage)).not.toContain("done");
});

it("returns nothing older than a day, and nothing while the clock is behind", async () => {
  const now = Date.now();
  await fetchAndStore("standing en", async () => "done");
  vi.useFakeTimers({ now: now + 25 * HOUR_MS, toFake: ["Date"] });
  expect(storedAnswer("standing en")).toBeUndefined();
  vi.setSystemTime(now - HOUR_MS);
  expect(storedAnswer("standing en")).toBeUndefined();
  vi.setSystemTime(now + HOUR_MS);
  expect(storedAnswer("standing en")?.value).toBe("done");
});
