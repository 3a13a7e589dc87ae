// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { click, passTime } from "../testing/mount";
import { stage, term } from "./consent-stage";

beforeEach(() => {
  sessionStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

it("shows a message and a retry button after a load error", async () => {
  const fetchTerms = vi.fn(async () => [term(1)]);
  fetchTerms.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  const { accept, button, state, alertText, ticks } = await stage({ fetchTerms });
  expect([state(), alertText(), ticks()]).toEqual(["failed", "The terms could not be loaded.", []]);
  expect(accept()?.disabled).toBe(true);
  await click(button("Try again"));
  await passTime(0);
  expect([state(), alertText(), ticks()]).toEqual(["ready", undefined, [false, false]]);
});

it("retries automatically in SWR's intervals of 5 s and more", async () => {
  const fetchTerms = vi.fn(async () => [term(1)]);
  fetchTerms.mockRejectedValueOnce(new Error("503"));
  const { state } = await stage({ fetchTerms });
  await passTime(4_900);
  expect(fetchTerms).toHaveBeenCalledTimes(1);
  await passTime(10_200);
  expect([fetchTerms.mock.calls.length, state()]).toEqual([2, "ready"]);
});

it("shows a message about a slow connection after 3 s", async () => {
  const { page, state } = await stage({ fetchTerms: () => new Promise(() => {}) });
  await passTime(2_900);
  expect(state()).toBe("loading");
  await passTime(200);
  expect(state()).toBe("slow");
  expect(page.textContent).toContain("Still loading. The connection is slow.");
});

it("waits 3 s for consents, and later ones do not override ticks of the user", async () => {
  let deliver = (_: unknown) => {};
  const late = new Promise<unknown>((resolve) => {
    deliver = resolve;
  });
  const { box, state, ticks } = await stage({ userId: "r1", fetchConsents: () => late as never });
  expect(state()).toBe("loading");
  await passTime(3_100);
  expect(state()).toBe("ready");
  await click(box(1));
  await click(box(1));
  await click(box(2));
  const earlier = (id: number) => ({ terms_and_conditions_id: id, accepted: true });
  deliver({ user_id: "r1", user_type: "RIDER", consents: [earlier(1), earlier(3)] });
  await passTime(0);
  expect(ticks()).toEqual(["mixed", false, true, true]);
});

it("marks a term that replaces an accepted one", async () => {
  const { page } = await stage({
    userId: "r1",
    fetchTerms: async () => [term(1), term(5, { replaces: 4, summary: "Now with snow." })],
    fetchConsents: async (user_id) => ({
      user_id,
      user_type: "RIDER",
      consents: [{ terms_and_conditions_id: 4, accepted: true, consented_at: "" }],
    }),
  });
  expect(page.querySelector("[data-term='1']")?.textContent).not.toContain("Changed");
  expect(page.querySelector("[data-term='5']")?.textContent).toContain("ChangedNow with snow.");
});
