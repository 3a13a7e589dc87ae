// @vitest-environment happy-dom
import type { PendingSubmission } from "@musette/client/terms";
import { act } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fakeIndexedDb } from "../../../client/src/terms/testing/indexed-db";
import { click } from "../testing/mount";
import { answer, arriveBy, consents, reload, settleDeferred, stage } from "./consent-stage";

const DAY_MS = 24 * 3600_000;
const lost = new TypeError("Failed to fetch");

let rows: Map<string, unknown>;

beforeEach(() => {
  sessionStorage.clear();
  vi.useRealTimers();
  arriveBy("navigate");
  const fake = fakeIndexedDb();
  rows = fake.rows;
  vi.stubGlobal("indexedDB", fake.indexedDB);
});

const storedSubmissions = () => [...rows.values()] as PendingSubmission[];
const asRider = (userId: string) => ({
  userId,
  fetchConsents: async () => consents(userId, {}),
});

type Props = Parameters<typeof stage>[0];

/** Submits, and loses the response although the server has recorded the submission. */
async function submitWithLostResponse(props: Props = {}) {
  const screen = await stage(props);
  screen.submitConsents.mockRejectedValue(lost);
  await click(screen.box("all"));
  await click(screen.accept());
  await settleDeferred();
  return screen;
}

const submitCalls = (screen: Awaited<ReturnType<typeof stage>>) =>
  screen.submitConsents.mock.calls.map((call) => JSON.stringify(call));

it("is stored before it is sent and removed after the host has the receipt", async () => {
  const order: string[] = [];
  const { accept, box, submitConsents } = await stage({
    onAccepted: () => order.push(`accepted, ${rows.size} kept`),
  });
  submitConsents.mockImplementation(async () => {
    order.push(`sent, ${rows.size} kept`);
    return answer;
  });
  await click(box("all"));
  await click(accept());
  await settleDeferred();
  expect(order).toEqual(["sent, 1 kept", "accepted, 1 kept"]);
  expect(rows.size).toBe(0);
});

it("uses the same key for a second press before the host leaves the screen", async () => {
  const { accept, box, submitConsents } = await stage();
  await click(box("all"));
  await click(accept());
  await settleDeferred();
  await click(accept());
  await settleDeferred();
  const keys = submitConsents.mock.calls.map(([, { idempotencyKey }]) => idempotencyKey);
  expect(new Set(keys).size).toBe(1);
});

describe("after a lost response and a reload", () => {
  it("sends the same key and bytes first and returns the receipt", async () => {
    const before = await submitWithLostResponse();
    await reload(before.mounted);
    const after = await stage();
    expect(submitCalls(after)).toEqual(submitCalls(before));
    expect(after.onAccepted.mock.calls).toEqual([[answer]]);
    expect(rows.size).toBe(0);
  });

  it("shows only the pending submission while there is no response", async () => {
    const before = await submitWithLostResponse();
    await reload(before.mounted);
    const submitConsents = vi.fn(() => Promise.reject(lost));
    const { accept, button, state, ticks, alertText } = await stage({ submitConsents });
    expect([state(), ticks(), accept()?.disabled]).toEqual(["unanswered", [], true]);
    expect(alertText()).toMatch(
      /^On .+ you agreed, and no answer has come yet\. It is kept and sent again/,
    );
    submitConsents.mockResolvedValueOnce(answer as never);
    await click(button("Try now"));
    await settleDeferred();
    expect(state()).toBe("ready");
    expect(rows.size).toBe(0);
  });

  it("sends again automatically when the phone is online", async () => {
    const before = await submitWithLostResponse(asRider("r1"));
    await reload(before.mounted);
    const submitConsents = vi.fn(() => Promise.reject(lost));
    const screen = await stage({ ...asRider("r1"), submitConsents });
    submitConsents.mockResolvedValueOnce(answer as never);
    await act(async () => void dispatchEvent(new Event("online")));
    await settleDeferred();
    expect(screen.onAccepted).toHaveBeenCalledOnce();
  });

  it("shows the message of a rejection and the list", async () => {
    const before = await submitWithLostResponse(asRider("r1"));
    await reload(before.mounted);
    const refused = Object.assign(new Error(), { response: { status: 422 } });
    const submitConsents = vi.fn(() => Promise.reject(refused));
    const { ticks, alertText } = await stage({ ...asRider("r1"), submitConsents });
    expect(alertText()).toMatch(/did not accept/);
    expect(ticks()).toHaveLength(4);
    expect(rows.size).toBe(0);
  });

  it("replaces the submission with another decision", async () => {
    const { accept, box, submitConsents } = await submitWithLostResponse();
    const [first] = storedSubmissions();
    await click(box(3));
    await click(accept());
    await settleDeferred();
    const [second] = storedSubmissions();
    expect(storedSubmissions()).toHaveLength(1);
    expect(second?.key).not.toBe(first?.key);
    expect(submitConsents).toHaveBeenCalledTimes(2);
  });
});

describe("the owner of a submission", () => {
  it("is the account: no other account sends or shows it", async () => {
    const before = await submitWithLostResponse(asRider("r1"));
    await before.mounted.leave();
    const other = await stage(asRider("r2"));
    expect([other.submitConsents.mock.calls.length, other.state()]).toEqual([0, "ready"]);
    await other.mounted.leave();
    const applicant = await stage();
    expect([applicant.submitConsents.mock.calls.length, applicant.state()]).toEqual([0, "ready"]);
    await applicant.mounted.leave();
    const sameRider = await stage(asRider("r1"));
    expect(submitCalls(sameRider)).toEqual(submitCalls(before));
    expect(sameRider.onAccepted).toHaveBeenCalledOnce();
  });

  it.each([
    ["Yes, show the receipt", 1, 0],
    ["No, it was somebody else", 0, 1],
  ])(
    "is asked for if the next applicant may be another person: %s",
    async (label, accepted, stored) => {
      const before = await submitWithLostResponse();
      await before.mounted.leave();
      const next = await stage();
      expect(submitCalls(next)).toEqual(submitCalls(before));
      expect(next.state()).toBe("ownerUnknown");
      expect(next.alertText()).toMatch(
        /^An agreement that was confirmed on this device on .+Was it you/,
      );
      expect(next.page.textContent).not.toContain(answer.receipt.id);
      expect(next.onAccepted).not.toHaveBeenCalled();
      await click(next.button(label));
      await settleDeferred();
      expect(next.onAccepted).toHaveBeenCalledTimes(accepted);
      expect(rows.size).toBe(stored);
      expect(next.ticks()).toEqual([false, false, false, false]);
    },
  );

  it("is asked for after a reload 15 minutes later", async () => {
    const before = await submitWithLostResponse();
    await reload(before.mounted);
    vi.setSystemTime(Date.now() + 16 * 60_000);
    const next = await stage();
    expect(next.state()).toBe("ownerUnknown");
  });

  it("is asked for if the response arrives after the applicant has left", async () => {
    const screen = await stage({ onBack: () => {} });
    let deliver = (_: typeof answer) => {};
    screen.submitConsents.mockReturnValueOnce(new Promise((resolve) => (deliver = resolve)));
    await click(screen.box("all"));
    await click(screen.accept());
    await settleDeferred();
    await click(screen.button("Back"));
    deliver(answer);
    await settleDeferred();
    expect(screen.onAccepted).not.toHaveBeenCalled();
    expect(screen.state()).toBe("ownerUnknown");
  });
});

it("is not sent again if the server may have removed its key", async () => {
  const before = await submitWithLostResponse(asRider("r1"));
  await before.mounted.leave();
  vi.setSystemTime(Date.now() + 7 * DAY_MS);
  const { button, state, submitConsents, ticks, alertText } = await stage(asRider("r1"));
  expect([state(), submitConsents.mock.calls.length]).toEqual(["expired", 0]);
  expect(alertText()).toMatch(/too long ago to ask whether it was recorded/);
  await click(button("Go to the documents"));
  await settleDeferred();
  expect(ticks()).toHaveLength(4);
  expect(rows.size).toBe(0);
});

describe("agreed to without a network", () => {
  const offline = () => vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  afterEach(() => vi.restoreAllMocks());

  /** Creates a disk whose pending operations complete when a test calls `answer`. */
  function slowDisk() {
    const waiting: (() => void)[] = [];
    const disk = { isSlow: false };
    const schedule = (work: () => void) => {
      if (disk.isSlow) waiting.push(work);
      else queueMicrotask(work);
    };
    vi.stubGlobal("indexedDB", fakeIndexedDb(rows, schedule).indexedDB);
    return Object.assign(disk, {
      async answer() {
        disk.isSlow = false;
        for (const work of waiting.splice(0)) work();
        await settleDeferred();
      },
    });
  }

  it("says that it is stored only after it is, and says nothing else", async () => {
    const disk = slowDisk();
    const fetchConsents = vi.fn(async () => consents("r1", {}));
    const { accept, box, page, submitConsents } = await stage({ userId: "r1", fetchConsents });
    submitConsents.mockRejectedValue(lost);
    await click(box("all"));
    offline();
    fetchConsents.mockRejectedValue(lost);
    disk.isSlow = true;
    await click(accept());
    await settleDeferred();
    expect(page.textContent).not.toContain("kept on this device");
    await disk.answer();
    expect(page.textContent).toContain("kept on this device and not sent yet");
    // The decisions could not be loaded either, but that has the same cause.
    expect(page.textContent).not.toContain("could not be loaded");
    expect(storedSubmissions()).toMatchObject([{ userId: "r1", unsent: true }]);
  });

  it("does not say that it is stored if IndexedDB is blocked", async () => {
    vi.stubGlobal("indexedDB", undefined);
    offline();
    const { button, page, submitConsents, alertText } = await submitWithLostResponse();
    expect(alertText()).toBe("No answer came. Try again: nothing is recorded twice.");
    expect(page.textContent).not.toContain("kept on this device");
    submitConsents.mockResolvedValueOnce(answer);
    await click(button("Try now"));
    await settleDeferred();
  });

  it("is withdrawn only after it is removed from the disk", async () => {
    const disk = slowDisk();
    offline();
    const { box, button, page, alertText } = await submitWithLostResponse();
    expect(alertText()).toContain("kept on this device");
    disk.isSlow = true;
    await click(button("Do not send it"));
    await settleDeferred();
    expect(page.textContent).toContain("kept on this device");
    expect(box("all")?.disabled).toBe(true);
    await disk.answer();
    expect([alertText(), box("all")?.disabled]).toEqual([undefined, false]);
    expect(rows.size).toBe(0);
  });
});

it("works in memory if IndexedDB is blocked", async () => {
  vi.stubGlobal("indexedDB", undefined);
  const { accept, button, onAccepted, submitConsents, alertText } = await submitWithLostResponse();
  expect(alertText()).toBe("No answer came. Try again: nothing is recorded twice.");
  submitConsents.mockResolvedValueOnce(answer);
  await click(button("Try now"));
  await settleDeferred();
  expect(onAccepted).toHaveBeenCalledOnce();
  expect(new Set(submitConsents.mock.calls.map((call) => JSON.stringify(call))).size).toBe(1);
  expect(accept()?.disabled).toBe(false);
});

it("formats the date by the region of the device", async () => {
  vi.stubGlobal("navigator", { ...navigator, onLine: true, languages: ["en-GB", "en"] });
  const before = await submitWithLostResponse();
  await reload(before.mounted);
  const fail = vi.fn(async () => Promise.reject(lost));
  const { alertText } = await stage({ submitConsents: fail });
  expect(alertText()).toMatch(/^On \d+ \w+ \d{4} at \d\d:\d\d you agreed/);
});
