import { describe, expect, it } from "vitest";
import {
  type Discussion,
  daysLeft,
  type Evaluation,
  type EvaluationDetail,
  following,
  isFinalAfterAnswer,
  isOwnDecision,
  lengthOf,
  outcomesOf,
  preceding,
  secondsOf,
  textFor,
} from "./model";

const NOW = new Date("2026-11-20T12:00:00.000Z");
const one = (id: string, status: Evaluation["status"] = "IN_DISCUSSION") =>
  ({ id, status }) as Evaluation;
const discussion = (change: Partial<Discussion>) =>
  ({ opened_by: "rider", contested: "EVALUATED", round: 1, ...change }) as Discussion;

it.each([
  ["2026-11-24T12:00:00.000Z", 4],
  ["2026-11-21T11:59:00.000Z", 0],
  ["2026-11-20T12:00:00.000Z", 0],
  ["2026-11-20T11:59:00.000Z", -1],
  ["2026-11-18T11:59:00.000Z", -3],
])("counts the whole days until %s", (due, days) => {
  expect(daysLeft(due, NOW)).toBe(days);
});

it("counts a figure in seconds", () => {
  expect(secondsOf("worked_minutes", { worked_minutes: 2 })).toBe(120);
  expect(secondsOf("late_by_seconds", { late_by_seconds: 0 })).toBe(0);
  expect(secondsOf("overtime_seconds", { overtime_seconds: null })).toBeUndefined();
  expect(secondsOf("overtime_seconds", undefined)).toBeUndefined();
});

describe("the outcomes of an answer", () => {
  it("are not worse for a rider than the contested status", () => {
    expect(outcomesOf(discussion({ contested: "ACCEPTED" }))).toEqual(["ACCEPTED"]);
    expect(outcomesOf(discussion({ contested: "EVALUATED" }))).toEqual(["ACCEPTED", "EVALUATED"]);
    const all = ["ACCEPTED", "EVALUATED", "NO_SHOW", "REJECTED"];
    expect(outcomesOf(discussion({ contested: "NO_SHOW" }))).toEqual(all);
    expect(outcomesOf(discussion({ contested: "ACCEPTED", opened_by: "reviewer" }))).toEqual(all);
  });

  it("are final after the rider's second discussion only", () => {
    expect(isFinalAfterAnswer(discussion({ round: 1 }))).toBe(false);
    expect(isFinalAfterAnswer(discussion({ round: 2 }))).toBe(true);
    expect(isFinalAfterAnswer(discussion({ round: 2, opened_by: "reviewer" }))).toBe(false);
  });

  it("must come from a person who made no transition", () => {
    const by = (user_id: string) => ({ by: { kind: "human", user_id } });
    const history = [by("r1"), { by: { kind: "service" } }];
    const evaluation = { history } as unknown as EvaluationDetail;
    expect(isOwnDecision(evaluation, "r1")).toBe(true);
    expect(isOwnDecision(evaluation, "r2")).toBe(false);
    expect(isOwnDecision(evaluation, undefined)).toBe(false);
  });
});

describe("the evaluation after an answer", () => {
  const list = [one("a"), one("b"), one("c", "EVALUATED"), one("d")];
  it("is the next discussion, else the first one that is left", () => {
    expect(following(list, "a")?.id).toBe("b");
    expect(following(list, "b")?.id).toBe("d");
    expect(following(list, "d")?.id).toBe("a");
    expect(following([one("a")], "a")).toBeUndefined();
    expect(following(list, "elsewhere")?.id).toBe("a");
  });

  it("has one before it, except the first", () => {
    expect(preceding(list, "b")?.id).toBe("a");
    expect(preceding(list, "a")).toBeUndefined();
  });
});

it("counts the characters of a message as the server does", () => {
  expect(lengthOf("  🛵🛵 ")).toBe(2);
});

it("chooses the reader's language, else English, else any", () => {
  expect(textFor({ en: "Late", de: "Spät" }, "de")).toEqual({ lang: "de", text: "Spät" });
  expect(textFor({ en: "Late", de: "Spät" }, "fr")).toEqual({ lang: "en", text: "Late" });
  expect(textFor({ bn: "দেরি" }, "fr")).toEqual({ lang: "bn", text: "দেরি" });
});
