import { describe, expect, it } from "vitest";
import {
  actualTimes,
  canConfirm,
  contestState,
  decisionOf,
  duration,
  type EvaluationDetail,
  systemHref,
  textFor,
} from "./evaluation";
import { evaluation, version } from "./testing/evaluations";

const NOW = new Date("2026-11-22T12:00:00.000Z");
const subject = {
  kind: "shift",
  reference: "shift-1",
  starts_at: "2026-11-20T17:00:00.000Z",
  ends_at: "2026-11-20T21:00:00.000Z",
} as const;

describe("the actual times", () => {
  it("are the planned ones moved by the figures", () => {
    const figures = { late_by_seconds: 720, early_by_seconds: 60 };
    expect(actualTimes({ subject, figures })).toEqual({
      start: new Date("2026-11-20T17:12:00.000Z"),
      end: new Date("2026-11-20T20:59:00.000Z"),
    });
    expect(actualTimes({ subject, figures: { overtime_seconds: 600 } })).toEqual({
      end: new Date("2026-11-20T21:10:00.000Z"),
    });
  });

  it("are unknown without figures, and without a planned end", () => {
    expect(actualTimes({ subject, figures: { worked_minutes: 228 } })).toEqual({});
    const endless = { ...subject, ends_at: null };
    expect(actualTimes({ subject: endless, figures: { early_by_seconds: 60 } })).toEqual({});
  });
});

describe("contesting", () => {
  const state = (change: Partial<EvaluationDetail>) =>
    contestState({ ...evaluation(), ...change }, NOW);

  it("is open until the instant of the time limit", () => {
    expect(state({})).toBe("open");
    expect(state({ contest_until: NOW.toISOString() })).toBe("open");
    expect(state({ contest_until: "2026-11-22T11:59:59.999Z" })).toBe("final");
    expect(state({ finalised_at: NOW.toISOString() })).toBe("final");
  });

  it("is not possible before a decision, during a discussion, and after two rounds", () => {
    expect(state({ status: "PENDING", contest_until: null })).toBe("undecided");
    expect(state({ status: "IN_DISCUSSION" })).toBe("discussed");
    const round = version({ to: "IN_DISCUSSION", by: { kind: "rider" } });
    const byReviewer = version({ to: "IN_DISCUSSION", by: { kind: "human", role: "reviewer" } });
    expect(state({ history: [round, byReviewer] })).toBe("open");
    expect(state({ history: [round, round] })).toBe("rounds");
  });

  it("offers to confirm only an evaluation that is not final", () => {
    expect(canConfirm(evaluation())).toBe(true);
    expect(canConfirm({ ...evaluation(), status: "NO_SHOW" })).toBe(false);
    expect(canConfirm({ ...evaluation(), finalised_at: NOW.toISOString() })).toBe(false);
  });
});

it("names the decision behind a discussion, a confirmation and a withdrawal", () => {
  const decision = version();
  const rider = { kind: "rider" } as const;
  const opened = version({ from: "EVALUATED", to: "IN_DISCUSSION", by: rider });
  const withdrawn = version({
    from: "IN_DISCUSSION",
    to: "EVALUATED",
    by: { kind: "human", role: "reviewer" },
  });
  const confirmed = version({ from: "EVALUATED", to: "ACCEPTED", by: rider });
  const history = [version({ from: null, to: "PENDING" }), decision];
  for (const later of [[], [opened], [opened, withdrawn], [confirmed]])
    expect(decisionOf(evaluation({ history: [...history, ...later] }))).toBe(decision);
  expect(decisionOf(evaluation({ history: history.slice(0, 1) }))).toBeUndefined();
});

it("chooses the text in the first of the reader's languages that has one", () => {
  const texts = { en: "Late", "pt-BR": "Atrasado", de: "Zu spät" };
  expect(textFor(texts, ["de-AT", "en"])).toEqual({ text: "Zu spät", lang: "de" });
  expect(textFor(texts, ["ar", "pt-br"])).toEqual({ text: "Atrasado", lang: "pt-BR" });
  expect(textFor(texts, ["ar"])).toEqual({ text: "Late", lang: "en" });
  expect(textFor({ fr: "Tard" }, ["ar"])).toEqual({ text: "Tard", lang: "fr" });
});

it("names a length of time with its units", () => {
  expect(duration("en", 4 * 3600 + 12 * 60)).toBe("4 hours 12 minutes");
  expect(duration("en", 30)).toBe("30 seconds");
  expect(duration("en", 0)).toBe("0 minutes");
  expect(duration("de", 3661)).toBe("1 Stunde 1 Minute 1 Sekunde");
});

it("links to the version of the register at the time of the decision", () => {
  const system = { name: "order-dispatch", version: "7.2" };
  expect(systemHref(system, "2026-11-20T21:00:00.000Z", "DE")).toBe(
    "/automated-systems?system=order-dispatch&at=2026-11-20T21%3A00%3A00.000Z&market=DE",
  );
});
