import { expect, it } from "vitest";
import { columnsOf, labelsIn, roundUpForAxis, total } from "./days";

it("contains every day, including those without events", () => {
  const days = [
    { day: "2026-11-18", values: [3, 1] },
    { day: "2026-11-21", values: [2, 0] },
  ];
  expect(columnsOf(days, "2026-11-21", 5)).toEqual([
    { from: "2026-11-17", to: "2026-11-17", values: [0, 0] },
    { from: "2026-11-18", to: "2026-11-18", values: [3, 1] },
    { from: "2026-11-19", to: "2026-11-19", values: [0, 0] },
    { from: "2026-11-20", to: "2026-11-20", values: [0, 0] },
    { from: "2026-11-21", to: "2026-11-21", values: [2, 0] },
  ]);
});

it("groups many days into weeks, the last of which ends today", () => {
  const days = Array.from({ length: 90 }, (_, index) => ({
    day: new Date(Date.UTC(2026, 8, 1 + index)).toISOString().slice(0, 10),
    values: [1],
  }));
  const columns = columnsOf(days, "2026-11-29", 90);
  expect(columns).toHaveLength(13);
  expect(columns.at(-1)).toEqual({ from: "2026-11-23", to: "2026-11-29", values: [7] });
  expect(total(columns.flatMap(({ values }) => values))).toBe(90);
});

it("leaves out older days", () => {
  expect(columnsOf([{ day: "2025-01-01", values: [9] }], "2026-11-21", 2)).toEqual([
    { from: "2026-11-20", to: "2026-11-20", values: [0] },
    { from: "2026-11-21", to: "2026-11-21", values: [0] },
  ]);
});

it.each([
  [0, 2],
  [4, 4],
  [5, 6],
  [11, 20],
  [23, 40],
  [730, 800],
  [1000, 2000],
])("rounds %d up to %d", (value, top) => {
  expect(roundUpForAxis(value)).toBe(top);
});

it("finds the marks of a column once each, including its first and last day", () => {
  const marks = [
    { day: "2026-11-14", label: "before" },
    { day: "2026-11-15", label: "first" },
    { day: "2026-11-18", label: "twice" },
    { day: "2026-11-19", label: "twice" },
    { day: "2026-11-21", label: "last" },
    { day: "2026-11-22", label: "after" },
  ];
  const week = { from: "2026-11-15", to: "2026-11-21" };
  expect(labelsIn(week, marks)).toEqual(["first", "twice", "last"]);
  expect(labelsIn(week, [])).toEqual([]);
});
