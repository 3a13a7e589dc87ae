import { expect, test } from "vitest";
import { isScheduled, listsOf } from "./phase";

const term = {
  effective_from: "2026-11-01T00:00:00.000Z",
  status: "active",
  mandatory: true,
} as const;
const coverage = { counted_at: "2026-11-27T05:00:00.000Z" };

test("only a required version in effect has pending riders", () => {
  expect(listsOf(term, coverage)).toEqual(["pending", "declined", "withdrawn"]);
  expect(listsOf({ ...term, mandatory: false }, coverage)).toEqual(["declined", "withdrawn"]);
  expect(listsOf({ ...term, status: "superseded" }, coverage)).toEqual(["declined", "withdrawn"]);
  const next = { ...term, effective_from: "2026-12-26T00:00:00.000Z" };
  expect(listsOf(next, coverage)).toEqual(["declined", "withdrawn"]);
});

test("a version was scheduled on an earlier day", () => {
  expect(isScheduled(term, coverage)).toBe(false);
  expect(isScheduled(term, { ...coverage, as_of: "2026-10-31T23:59:59.000Z" })).toBe(true);
});
