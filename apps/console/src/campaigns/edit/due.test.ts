import { expect, it } from "vitest";
import { dueAt } from "./due";
import { FIRST_STEP } from "./form";

const START = Date.parse("2026-11-27T09:00:00Z");
const TERM = { effective_from: "2027-01-01T00:00:00Z" };
const iso = (at: number | undefined) => at && new Date(at).toISOString();

it("computes the due time from the start, before a date, or from a fixed instant", () => {
  const step = { ...FIRST_STEP, amount: "7" };
  expect(iso(dueAt(step, TERM, START))).toBe("2026-12-04T09:00:00.000Z");
  const before = { ...step, anchor: "effective_from" as const, amount: "30" };
  expect(iso(dueAt(before, TERM, START))).toBe("2026-12-02T00:00:00.000Z");
  const instant = { ...step, anchor: "instant" as const, instant: "2026-12-24T12:00:00.000Z" };
  expect(iso(dueAt(instant, TERM, START))).toBe("2026-12-24T12:00:00.000Z");
});

it("returns no due time without the date or with an incomplete date", () => {
  const step = { ...FIRST_STEP, amount: "7" };
  expect(dueAt({ ...step, anchor: "grace_until" }, TERM, START)).toBeUndefined();
  expect(dueAt({ ...step, anchor: "effective_from" }, undefined, START)).toBeUndefined();
  expect(dueAt({ ...step, amount: "" }, TERM, START)).toBeUndefined();
  expect(dueAt({ ...step, anchor: "instant" }, TERM, START)).toBeUndefined();
});
