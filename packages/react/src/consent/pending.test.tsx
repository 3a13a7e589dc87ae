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

const kept = () => [...rows.values()] as PendingSubmission[];
const asRider = (userId: string) => ({
  userId,
  fetchConsents: async () => consents(userId, {}),
});

type Props = Parameters<typeof stage>[0];

/** Somebody agrees, the server records it, and nobody learns of it. */
async function answerLost(props: Props = {}) {
  const screen = await stage(props);
  screen.submitConsents.mockRejectedValue(lost);
  await click(screen.box("all"));
  await click(screen.accept());
  await settleDeferred();
  return screen;
}

const sent = (screen: Awaited<ReturnType<typeof stage>>) =>
  screen.submitConsents.mock.calls.map((call) => JSON.stringify(call));

it("is kept before it is sent, and forgotten once the host has the receipt", async () => {
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

it("a second press before the host has moved on is not a second submission", async () => {
  const { accept, box, submitConsents } = await stage();
  await click(box("all"));
  await click(accept());
  await settleDeferred();
  await click(accept());
  await settleDeferred();
  const keys = submitConsents.mock.calls.map(([, { idempotencyKey }]) => idempotencyKey);
  expect(new Set(keys).size).toBe(1);
});

describe("after a lost answer and a reload", () => {
  it("the same key and bytes go out first, and the receipt is shown", async () => {
    const before = await answerLost();
    await reload(before.mounted);
    const after = await stage();
    expect(sent(after)).toEqual(sent(before));
    expect(after.onAccepted.mock.calls).toEqual([[answer]]);
    expect(rows.size).toBe(0);
  });

  it("while no answer comes nothing else is offered, and nothing is claimed", async () => {
    const before = await answerLost();
    await reload(before.mounted);
    const submitConsents = vi.fn(() => Promise.reject(lost));
    const { accept, button, state, ticks, trouble } = await stage({ submitConsents });
    expect([state(), ticks(), accept()?.disabled]).toEqual(["unanswered", [], true]);
    expect(trouble()).toMatch(
      /^On .+ you agreed, and no answer has come yet\. It is kept and sent again/,
    );
    submitConsents.mockResolvedValueOnce(answer as never);
    await click(button("Try now"));
    await settleDeferred();
    expect(state()).toBe("ready");
    expect(rows.size).toBe(0);
  });

  it("it goes out again by itself when the phone is online", async () => {
    const before = await answerLost(asRider("r1"));
    await reload(before.mounted);
    const submitConsents = vi.fn(() => Promise.reject(lost));
    const screen = await stage({ ...asRider("r1"), submitConsents });
    submitConsents.mockResolvedValueOnce(answer as never);
    await act(async () => void dispatchEvent(new Event("online")));
    await settleDeferred();
    expect(screen.onAccepted).toHaveBeenCalledOnce();
  });

  it("a refusal is told, and the list is there", async () => {
    const before = await answerLost(asRider("r1"));
    await reload(before.mounted);
    const refused = Object.assign(new Error(), { response: { status: 422 } });
    const submitConsents = vi.fn(() => Promise.reject(refused));
    const { ticks, trouble } = await stage({ ...asRider("r1"), submitConsents });
    expect(trouble()).toMatch(/did not accept/);
    expect(ticks()).toHaveLength(4);
    expect(rows.size).toBe(0);
  });

  it("another decision replaces the one whose answer was lost", async () => {
    const { accept, box, submitConsents } = await answerLost();
    const [first] = kept();
    await click(box(3));
    await click(accept());
    await settleDeferred();
    const [second] = kept();
    expect(kept()).toHaveLength(1);
    expect(second?.key).not.toBe(first?.key);
    expect(submitConsents).toHaveBeenCalledTimes(2);
  });
});

describe("whose it is", () => {
  it("an account's is neither sent nor shown by another one", async () => {
    const before = await answerLost(asRider("r1"));
    await before.mounted.leave();
    const other = await stage(asRider("r2"));
    expect([other.submitConsents.mock.calls.length, other.state()]).toEqual([0, "ready"]);
    await other.mounted.leave();
    const applicant = await stage();
    expect([applicant.submitConsents.mock.calls.length, applicant.state()]).toEqual([0, "ready"]);
    await applicant.mounted.leave();
    const own = await stage(asRider("r1"));
    expect(sent(own)).toEqual(sent(before));
    expect(own.onAccepted).toHaveBeenCalledOnce();
  });

  it.each([
    ["Yes, show the receipt", 1, 0],
    ["No, it was somebody else", 0, 1],
  ])("who comes next as an applicant is asked: %s", async (say, accepted, left) => {
    const before = await answerLost();
    await before.mounted.leave();
    const next = await stage();
    expect(sent(next)).toEqual(sent(before));
    expect(next.state()).toBe("ownerUnknown");
    expect(next.trouble()).toMatch(
      /^An agreement that was confirmed on this device on .+Was it you/,
    );
    expect(next.page.textContent).not.toContain(answer.receipt.id);
    expect(next.onAccepted).not.toHaveBeenCalled();
    await click(next.button(say));
    await settleDeferred();
    expect(next.onAccepted).toHaveBeenCalledTimes(accepted);
    expect(rows.size).toBe(left);
    expect(next.ticks()).toEqual([false, false, false, false]);
  });

  it("a reload after a quarter of an hour is not taken for the same person", async () => {
    const before = await answerLost();
    await reload(before.mounted);
    vi.setSystemTime(Date.now() + 16 * 60_000);
    const next = await stage();
    expect(next.state()).toBe("ownerUnknown");
  });

  it("an answer that comes after the person has left is not given to the next one", async () => {
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

it("is not sent again when the server may have forgotten its key", async () => {
  const before = await answerLost(asRider("r1"));
  await before.mounted.leave();
  vi.setSystemTime(Date.now() + 7 * DAY_MS);
  const { button, state, submitConsents, ticks, trouble } = await stage(asRider("r1"));
  expect([state(), submitConsents.mock.calls.length]).toEqual(["expired", 0]);
  expect(trouble()).toMatch(/too long ago to ask whether it was recorded/);
  await click(button("Go to the documents"));
  await settleDeferred();
  expect(ticks()).toHaveLength(4);
  expect(rows.size).toBe(0);
});

describe("agreed to without a network", () => {
  const offline = () => vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  afterEach(() => vi.restoreAllMocks());

  /** A disk that answers when it is told to. */
  function slowDisk() {
    const waiting: (() => void)[] = [];
    const disk = { isSlow: false };
    const soon = (work: () => void) => {
      if (disk.isSlow) waiting.push(work);
      else queueMicrotask(work);
    };
    vi.stubGlobal("indexedDB", fakeIndexedDb(rows, soon).indexedDB);
    return Object.assign(disk, {
      async answer() {
        disk.isSlow = false;
        for (const work of waiting.splice(0)) work();
        await settleDeferred();
      },
    });
  }

  it("says that it is kept only once it is, and not because decisions could not be loaded", async () => {
    const disk = slowDisk();
    const fetchConsents = vi.fn(async () => consents("r1", {}));
    const { accept, box, page, submitConsents } = await stage({ userId: "r1", fetchConsents });
    submitConsents.mockRejectedValue(lost);
    await click(box("all"));
    offline();
    fetchConsents.mockRejectedValue(lost);
    await click(accept());
    await settleDeferred();
    expect(page.textContent).toContain("What you decided earlier could not be loaded");
    expect(page.textContent).not.toContain("kept on this device");
    // Marketing was ticked by "Agree to all", which needs to know what was decided earlier.
    expect(page.textContent).toContain("Nothing was sent: the ticks have changed");
    expect(rows.size).toBe(0);
    await click(box(3));
    expect(page.textContent).not.toContain("Nothing was sent");
    disk.isSlow = true;
    await click(accept());
    await settleDeferred();
    expect(page.textContent).not.toContain("kept on this device");
    await disk.answer();
    expect(page.textContent).toContain("kept on this device and not sent yet");
    expect(kept()).toMatchObject([{ userId: "r1", unsent: true }]);
  });

  it("is not called kept where IndexedDB is blocked", async () => {
    vi.stubGlobal("indexedDB", undefined);
    offline();
    const { button, page, submitConsents, trouble } = await answerLost();
    expect(trouble()).toBe("No answer came. Try again: nothing is recorded twice.");
    expect(page.textContent).not.toContain("kept on this device");
    submitConsents.mockResolvedValueOnce(answer);
    await click(button("Try now"));
    await settleDeferred();
  });

  it("is taken back once it is off the disk, not before", async () => {
    const disk = slowDisk();
    offline();
    const { box, button, page, trouble } = await answerLost();
    expect(trouble()).toContain("kept on this device");
    disk.isSlow = true;
    await click(button("Do not send it"));
    await settleDeferred();
    expect(page.textContent).toContain("kept on this device");
    expect(box("all")?.disabled).toBe(true);
    await disk.answer();
    expect([trouble(), box("all")?.disabled]).toEqual([undefined, false]);
    expect(rows.size).toBe(0);
  });
});

it("works in memory where IndexedDB is blocked", async () => {
  vi.stubGlobal("indexedDB", undefined);
  const { accept, button, onAccepted, submitConsents, trouble } = await answerLost();
  expect(trouble()).toBe("No answer came. Try again: nothing is recorded twice.");
  submitConsents.mockResolvedValueOnce(answer);
  await click(button("Try now"));
  await settleDeferred();
  expect(onAccepted).toHaveBeenCalledOnce();
  expect(new Set(submitConsents.mock.calls.map((call) => JSON.stringify(call))).size).toBe(1);
  expect(accept()?.disabled).toBe(false);
});

it("writes the day as the region of this device does", async () => {
  vi.stubGlobal("navigator", { ...navigator, onLine: true, languages: ["en-GB", "en"] });
  const before = await answerLost();
  await reload(before.mounted);
  const fail = vi.fn(async () => Promise.reject(lost));
  const { trouble } = await stage({ submitConsents: fail });
  expect(trouble()).toMatch(/^On \d+ \w+ \d{4} at \d\d:\d\d you agreed/);
});
