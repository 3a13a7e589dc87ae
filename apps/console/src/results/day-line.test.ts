import { expect, it } from "vitest";
import { lineDomain, linesOf } from "./day-line";

const point = (arm: string, difference?: number, width = 1) => ({
  arm,
  units: 10,
  ...(difference !== undefined && {
    difference,
    interval: { low: difference - width, high: difference + width },
  }),
});

it("draws an arm from the first day with enough people", () => {
  const lines = linesOf({
    days: [
      { date: "2026-11-01", arms: [point("a"), point("b", 3)] },
      { date: "2026-11-02", arms: [point("a", 1), point("b", 2)] },
    ],
  });
  expect(lines.get("a")?.map(({ date }) => date)).toEqual(["2026-11-02"]);
  expect(lines.get("b")?.map(({ difference }) => difference)).toEqual([3, 2]);
  expect(linesOf({ days: [] }).size).toBe(0);
});

it("keeps a wide first interval from flattening the line", () => {
  const lines = linesOf({
    days: [
      { date: "2026-11-01", arms: [point("a", 0, 100)] },
      { date: "2026-11-02", arms: [point("a", 1, 1)] },
    ],
  });
  const { low, high } = lineDomain(lines);
  expect(high - low).toBeLessThan(12);
  expect(low).toBeLessThan(0);
});
