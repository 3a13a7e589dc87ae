// @vitest-environment happy-dom
import { HttpError, type Problem } from "@musette/client/http";
import { act } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { QueryCache } from "../reading/answers";
import { click, passTime, settle } from "../testing/mount";
import { consents, settleDeferred, stage, term } from "./consent-stage";

const MINUTE_MS = 60_000;

beforeEach(() => {
  sessionStorage.clear();
  vi.useRealTimers();
});

type SubmitMock = Awaited<ReturnType<typeof stage>>["submitConsents"];
const entries = (submit: SubmitMock, call = 0) =>
  Object.fromEntries(
    submit.mock.calls[call]?.[0].consents.map((entry) => [
      entry.terms_and_conditions_id,
      entry.accepted,
    ]) ?? [],
  );

function httpError(status: number, code: string): HttpError {
  return new HttpError(new Response(null, { status }), { code, status } as Problem);
}

describe("ticks of an applicant belong to one visit", () => {
  it.each(["Back", "Close"])(
    "%s ends it, even if the host keeps the screen mounted",
    async (way) => {
      const { box, button, ticks } = await stage({ onBack: () => {}, onClose: () => {} });
      await click(box("all"));
      await click(button(way));
      await settleDeferred();
      expect(ticks()).toEqual([false, false, false, false]);
    },
  );

  it("removes and never shows drafts in the format of an earlier version", async () => {
    const choices = [[1, { accepted: true, method: "agree_all" }]];
    const draft = JSON.stringify({ at: Date.now(), choices, readings: [] });
    sessionStorage.setItem("musette-draft:FREELANCER:", draft);
    const { ticks } = await stage();
    expect(ticks()).toEqual([false, false, false, false]);
    expect(sessionStorage.getItem("musette-draft:FREELANCER:")).toBeNull();
  });

  it("15 minutes without a touch end it, with a message", async () => {
    vi.useFakeTimers();
    const { box, page, ticks } = await stage();
    await click(box("all"));
    await passTime(14 * MINUTE_MS);
    await act(async () => document.dispatchEvent(new Event("pointerdown")));
    await passTime(14 * MINUTE_MS);
    expect(ticks()).toEqual([true, true, true, true]);
    await passTime(2 * MINUTE_MS);
    await settleDeferred();
    expect(ticks()).toEqual([false, false, false, false]);
    expect(page.textContent).toContain("Nobody touched the screen for 15 minutes");
  });

  it("the touch that wakes a phone triggers no action", async () => {
    const { accept, box, submitConsents, ticks } = await stage();
    await click(box("all"));
    // The timers of a sleeping phone stop, but its clock continues.
    vi.setSystemTime(Date.now() + 16 * MINUTE_MS);
    await click(accept());
    await settleDeferred();
    expect(submitConsents).not.toHaveBeenCalled();
    expect(ticks()).toEqual([false, false, false, false]);
  });

  it("sleep ends it, even if the clock is set back 10 s after waking", async () => {
    vi.useFakeTimers();
    const { box, ticks } = await stage();
    await click(box("all"));
    vi.setSystemTime(Date.now() + 16 * MINUTE_MS);
    await passTime(10_000);
    vi.setSystemTime(Date.now() - 30 * MINUTE_MS);
    await settleDeferred();
    expect(ticks()).toEqual([false, false, false, false]);
  });

  it("a return from the back-forward cache starts a new visit", async () => {
    const { box, ticks } = await stage();
    await click(box("all"));
    const pageShow = Object.assign(new Event("pageshow"), { persisted: true });
    await act(async () => void dispatchEvent(pageShow));
    await settleDeferred();
    expect(ticks()).toEqual([false, false, false, false]);
  });

  it("sends a restored tick of a rider without method and opened documents", async () => {
    const props = { userId: "r1", fetchConsents: async () => consents("r1", {}) };
    const before = await stage(props);
    await click(before.box("all"));
    await before.mounted.leave();
    const { accept, submitConsents, ticks } = await stage(props);
    expect(ticks()).toEqual([true, true, true, true]);
    await click(accept());
    await settleDeferred();
    const [entry] = submitConsents.mock.calls[0]?.[0].consents ?? [];
    expect([entry?.accepted, entry?.method, entry?.opened]).toEqual([true, undefined, false]);
  });
});

describe("earlier consents that could not be loaded", () => {
  const notLoaded = /What you decided earlier could not be loaded/;

  it("show a message, and untouched terms are neither sent nor withdrawn", async () => {
    const fetchConsents = vi.fn(async () => consents("r1", { 1: true, 3: true }));
    const down = httpError(503, "unavailable");
    fetchConsents.mockRejectedValueOnce(down).mockRejectedValueOnce(down);
    const { accept, box, button, submitConsents, ticks, alertText } = await stage({
      userId: "r1",
      fetchConsents,
    });
    expect(alertText()).toMatch(notLoaded);
    expect(ticks()).toEqual([false, false, false, false]);
    await click(box(1));
    await click(box(2));
    await click(accept());
    await settleDeferred();
    expect(entries(submitConsents)).toEqual({ 1: true, 2: true });
    await click(button("Try again"));
    await settleDeferred();
    expect(alertText()).toBeUndefined();
    expect(ticks()).toEqual([true, true, true, true]);
  });

  it("name the connection while the device is offline", async () => {
    const fetchConsents = () => Promise.reject(new TypeError("Failed to fetch"));
    const { alertText } = await stage({ userId: "r1", fetchConsents });
    expect(alertText()).toMatch(notLoaded);
    const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    await act(async () => window.dispatchEvent(new Event("offline")));
    expect(alertText()).toMatch(
      /^You are offline, so what you decided earlier could not be loaded/,
    );
    onLine.mockReturnValue(true);
    await act(async () => window.dispatchEvent(new Event("online")));
    expect(alertText() ?? "").not.toContain("offline");
  });

  it("do not keep agree-all from optional terms", async () => {
    const fetchConsents = () => Promise.reject(new TypeError("Failed to fetch"));
    const { accept, box, submitConsents, ticks } = await stage({ userId: "r1", fetchConsents });
    await click(box("all"));
    expect(ticks()).toEqual([true, true, true, true]);
    await click(accept());
    await settleDeferred();
    expect(entries(submitConsents)).toEqual({ 1: true, 2: true, 3: true });
  });

  it("are used when they arrive after 12 s, except for touched terms", async () => {
    vi.useFakeTimers();
    const late = () =>
      new Promise<ReturnType<typeof consents>>((resolve) => {
        setTimeout(() => resolve(consents("r1", { 2: true, 3: true })), 12_000);
      });
    const { box, ticks, alertText } = await stage({ userId: "r1", fetchConsents: late });
    await passTime(3_100);
    expect(alertText()).toMatch(notLoaded);
    await click(box(1));
    await passTime(9_000);
    expect(alertText()).toBeUndefined();
    expect(ticks()).toEqual([true, true, true, true]);
  });

  it("include an invalid response, which does not count as an empty list", async () => {
    const fetchConsents = async () => "<html>Sign in</html>" as never;
    const { alertText } = await stage({ userId: "r1", fetchConsents });
    expect(alertText()).toMatch(notLoaded);
  });

  it("are not taken from an earlier screen", async () => {
    const props = {
      userId: "r1",
      fetchTerms: async () => [term(1), term(3, { mandatory: false })],
    };
    const loaded = async () => consents("r1", { 1: true, 3: true });
    const cache = new QueryCache();
    const first = await stage({ ...props, fetchConsents: loaded }, cache);
    expect(first.ticks()).toEqual([true, true, true]);
    await first.mounted.leave();
    const down = () => Promise.reject(httpError(503, "unavailable"));
    const second = await stage({ ...props, fetchConsents: down }, cache);
    expect(second.alertText()).toMatch(notLoaded);
    expect(second.ticks()).toEqual([false, false, false]);
  });

  it("are fetched again before sending, so that an untouched tick does not restore a withdrawn consent", async () => {
    const fetchConsents = vi.fn(async () => consents("r1", { 1: true, 3: true }));
    const { accept, box, submitConsents, ticks } = await stage({ userId: "r1", fetchConsents });
    await click(box(2));
    expect(ticks()).toEqual([true, true, true, true]);
    fetchConsents.mockResolvedValue(consents("r1", { 1: true, 3: false }));
    await click(accept());
    await settleDeferred();
    // The ticks on the screen are outdated, so the screen shows the new ones and sends nothing yet.
    expect(submitConsents).not.toHaveBeenCalled();
    expect(ticks()).toEqual(["mixed", true, true, false]);
    await click(accept());
    await settleDeferred();
    expect(entries(submitConsents)).toEqual({ 1: true, 2: true, 3: false });
  });
});

describe("agree to all", () => {
  const withdrawn = {
    userId: "r1",
    fetchConsents: async () => consents("r1", { 1: true, 3: false }),
  };

  it("ticks a term that was declined before, and its row says so", async () => {
    const { accept, box, page, submitConsents, ticks } = await stage(withdrawn);
    const row = page.querySelector("[data-term='3']");
    expect(row?.textContent).toContain("You declined this before.");
    await click(box("all"));
    expect(ticks()).toEqual([true, true, true, true]);
    expect(row?.textContent).toContain("You declined this before.");
    await click(accept());
    await settleDeferred();
    expect(entries(submitConsents)).toEqual({ 1: true, 2: true, 3: true });
    expect(submitConsents.mock.calls[0]?.[0].consents[2]?.method).toBe("agree_all");
  });

  it("keeps the method of a term that the user has ticked", async () => {
    const { accept, box, submitConsents, ticks } = await stage(withdrawn);
    await click(box(3));
    await click(box("all"));
    expect(ticks()).toEqual([true, true, true, true]);
    await click(accept());
    await settleDeferred();
    expect(submitConsents.mock.calls[0]?.[0].consents[2]).toMatchObject({
      accepted: true,
      method: "tick",
    });
  });
});

describe("changed terms", () => {
  it("are fetched without a cache, marked as changed and unticked, even after agree-all", async () => {
    const next = term(22, { display_order: 2, replaces: 2 });
    const fetchTerms = vi.fn(async ({ fresh }: { fresh?: boolean }) =>
      fresh ? [term(1), next] : [term(1), term(2)],
    );
    const { accept, box, page, submitConsents, ticks } = await stage({ fetchTerms });
    submitConsents.mockRejectedValueOnce(httpError(409, "terms_changed"));
    await click(box("all"));
    await click(accept());
    await settleDeferred();
    expect(fetchTerms.mock.calls.map(([query]) => query)).toEqual([
      { termsType: "FREELANCER" },
      { termsType: "FREELANCER", fresh: true },
    ]);
    expect(ticks()).toEqual(["mixed", true, false]);
    expect(page.querySelector("[data-term='22']")?.textContent).toContain("Changed");
  });

  it("disable the button if they cannot be loaded", async () => {
    const fetchTerms = vi.fn(async () => [term(1), term(2)]);
    const { accept, box, button, page, submitConsents, ticks } = await stage({ fetchTerms });
    submitConsents.mockRejectedValueOnce(httpError(409, "terms_changed"));
    fetchTerms.mockRejectedValueOnce(new TypeError("Failed to fetch"));
    fetchTerms.mockResolvedValueOnce([term(1), term(22, { replaces: 2 })]);
    await click(box("all"));
    await click(accept());
    await settleDeferred();
    expect(page.textContent).toContain("The terms could not be loaded.");
    expect(accept()?.disabled).toBe(true);
    await click(button("Try again"));
    await settle();
    expect(fetchTerms.mock.lastCall).toEqual([{ termsType: "FREELANCER", fresh: true }]);
    expect(ticks()).toEqual(["mixed", true, false]);
  });
});
