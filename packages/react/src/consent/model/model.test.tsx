// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { settleDeferred } from "../consent-stage";
import { type Net, Phone, viewer } from "./phone";

vi.mock("../../viewer/document-viewer", () => ({
  DocumentViewer: (props: typeof viewer.shown) => {
    viewer.shown = props;
    return <div id="viewer" />;
  },
}));

vi.mock("react", async (original) => {
  const react = await original<typeof import("react")>();
  const { effectsInRealms } = await import("./realm");
  return { ...react, useEffect: effectsInRealms(react) };
});

/** The number of runs. `make test-long` uses 20,000. SEED=7 RUNS=1 reproduces one of them. */
const RUNS = Number(process.env.RUNS ?? 60);
const FIRST = Number(process.env.SEED ?? 1);
const STEPS = 12;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

type Random = <T>(choices: readonly T[]) => T;

function randomOf(seed: number): Random {
  let state = seed;
  return (choices) => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    const fraction = ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    return choices[Math.floor(fraction * choices.length)] as (typeof choices)[number];
  };
}

const checkbox = (row: HTMLElement | undefined) => row?.querySelector("input") ?? undefined;
const findButton = (phone: Phone, name: string | RegExp) =>
  phone.buttons().find((button) => {
    const label = button.getAttribute("aria-label") ?? button.textContent ?? "";
    return typeof name === "string" ? label === name : name.test(label);
  });

async function tick(phone: Phone, pick: Random): Promise<void> {
  const row = pick(phone.rowsOf());
  const box = checkbox(row);
  if (!row || !box || box.disabled) return;
  const before = phone.ticks();
  if (!(await phone.press(box))) return;
  const { touched } = phone.tab.visit;
  if (row.dataset.term !== "all") touched.set(Number(row.dataset.term), "tick");
  else
    for (const [id, ticked] of phone.ticks())
      if (ticked !== before.get(id)) touched.set(id, "agree_all");
}

async function read(phone: Phone, pick: Random): Promise<void> {
  if (!(await phone.press(findButton(phone, /^Open /)))) return;
  await settleDeferred();
  const props = viewer.shown;
  if (!props) return;
  const document = pick(props.documents);
  const page = pick([0, 1, 4]);
  // Page 0 means that the document was opened, but no page was rendered.
  if (page > 0) {
    await act(async () => props.onPage?.(document.id, page));
    const { shown } = phone.tab.visit;
    const id = Number(document.id);
    shown.set(id, Math.max(page, shown.get(id) ?? 0));
  }
  await act(async () => props.onClose());
  viewer.shown = undefined;
}

async function accept(phone: Phone): Promise<void> {
  const ticks = phone.ticks();
  const button = findButton(phone, /^(Agree and continue|Try now)$/);
  if (!button) return;
  phone.checker.pressed(phone.tab.visit, ticks, phone.tab.realm);
  await phone.press(button);
}

/** Performs the usual actions of a user: ticks "agree to all" and accepts. */
async function agree(phone: Phone, pick: Random): Promise<void> {
  const all = phone.rowsOf().find((row) => row.dataset.term === "all");
  if (!all || checkbox(all)?.checked) return tick(phone, pick);
  await tick(phone, () => all as never);
  await accept(phone);
}

async function withdrawElsewhere(phone: Phone): Promise<void> {
  const { userId } = phone.tab.visit;
  if (!userId || phone.tab.page.page.querySelector("[data-state=sending]")) return;
  const { log } = phone.service;
  const key = `elsewhere ${log.length}`;
  const submission = {
    user_id: userId,
    user_type: "RIDER",
    consents: [{ terms_and_conditions_id: 3, accepted: false, consented_at: "" }],
  } as const;
  const answer = { ...submission, recorded_at: "", receipt: { id: key } };
  log.push({ key, submission, answer });
}

/** Answers a notice about a pending submission truthfully. */
async function answerNotice(phone: Phone, pick: Random): Promise<void> {
  const pendingKeys = [...phone.rows.keys()];
  const { visit } = phone.tab;
  const areOwn =
    pendingKeys.length > 0 && pendingKeys.every((key) => phone.checker.isOf(visit, key));
  const answers = areOwn ? [/^Yes/, "Try now", "Go to the documents"] : [/^No/, "Try now"];
  await phone.press(findButton(phone, pick<string | RegExp>([...answers, "Go to the documents"])));
}

async function arriveAsOther(phone: Phone, pick: Random): Promise<void> {
  await phone.kill();
  phone.tab.visit = phone.newPerson(pick(["", "", "r1", "r2"]));
  await phone.load(phone.tab, "navigate");
}

/** Loses the response to a submission. Then the same person reloads, or another person arrives. */
async function loseResponse(phone: Phone, pick: Random): Promise<void> {
  phone.net = pick<Net>(["lost after", "lost before", "down"]);
  await agree(phone, pick);
  phone.net = "fine";
  await (pick([true, false]) ? arriveAsOther(phone, pick) : reload(phone));
}

async function reload(phone: Phone): Promise<void> {
  const visit = phone.samePerson();
  await phone.kill();
  phone.tab.visit = visit;
  await phone.load(phone.tab, "reload");
}

async function otherTab(phone: Phone): Promise<void> {
  if (phone.tabs.length > 1) await phone.closeTab();
  else await phone.openTab(phone.samePerson());
}

async function changeClock(phone: Phone, pick: Random): Promise<void> {
  if (phone.tabs.length > 1) await phone.closeTab();
  await phone.changeClock(pick([-30, -5, 5, 20, 8 * 24 * 60]) * MINUTE_MS);
}

async function passTime(phone: Phone, pick: Random): Promise<void> {
  // With a second tab in the background, the model cannot attribute its work at the same time.
  if (phone.tabs.length > 1) await phone.closeTab();
  const ms = pick([
    500,
    4_000,
    16_000,
    MINUTE_MS,
    10 * MINUTE_MS,
    16 * MINUTE_MS,
    DAY_MS,
    8 * DAY_MS,
  ]);
  await phone.wait(ms, ms > 16_000);
}

const NETS: readonly Net[] = ["fine", "fine", "lost before", "lost after", "down", "delayed"];

const STEPS_OF: readonly (readonly [string, (phone: Phone, pick: Random) => unknown])[] = [
  ...Array.from({ length: 4 }, () => ["tick", tick] as const),
  ...Array.from({ length: 4 }, () => ["agree", agree] as const),
  ["accept", accept],
  ["accept", accept],
  ["read", read],
  ["read", read],
  ["back", (phone) => phone.press(findButton(phone, "Back"))],
  ["reload", reload],
  ["reload", reload],
  ["come", arriveAsOther],
  ["come", arriveAsOther],
  ["lose", loseResponse],
  ["lose", loseResponse],
  ["lose", loseResponse],
  ["other tab", otherTab],
  ["answer notice", answerNotice],
  ["answer notice", answerNotice],
  ["try again", (phone) => phone.press(findButton(phone, /^Try (again|now)$/))],
  ["deliver", (phone) => phone.deliver()],
  ["net", (phone, pick) => Object.assign(phone, { net: pick(NETS) })],
  ["net", (phone, pick) => Object.assign(phone, { net: pick(NETS) })],
  ["consents", (phone, pick) => Object.assign(phone, { consentsNet: pick(NETS) })],
  ["disk", (phone, pick) => Object.assign(phone, { slowDisk: pick([true, false, false]) })],
  ["publish", (phone) => phone.service.publish()],
  ["withdraw elsewhere", withdrawElsewhere],
  ["time", passTime],
  ["time", passTime],
  ["clock", changeClock],
];

async function run(seed: number): Promise<{ readonly recorded: number }> {
  const pick = randomOf(seed);
  const phone = new Phone();
  const actions: string[] = [];
  try {
    await phone.openTab(phone.newPerson(pick(["", "r1"])));
    for (let step = 0; step < STEPS; step++) {
      const [name, act] = pick(STEPS_OF);
      actions.push(name);
      await act(phone, pick);
      await phone.settle();
    }
  } catch (error) {
    throw new Error(`SEED=${seed}: ${actions.join(", ")}`, { cause: error });
  } finally {
    await phone.end();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  }
  return { recorded: phone.service.log.length };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

it(
  "the log contains only decisions that a person made and saw in their own visit",
  async () => {
    // Loads the chunk first. Otherwise a press before it has loaded would continue outside of any page.
    await import("../deferred");
    // The first run loads chunks that later runs reuse, so it does not count.
    await run(0);
    let recorded = 0;
    for (let seed = FIRST; seed < FIRST + RUNS; seed++) recorded += (await run(seed)).recorded;
    // The test is only meaningful if runs record submissions.
    expect(recorded).toBeGreaterThan(RUNS / 10);
  },
  RUNS * 5_000,
);
