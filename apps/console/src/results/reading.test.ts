import { describe, expect, it } from "vitest";
import {
  armsShown,
  decimalsOf,
  domainOf,
  expectedShare,
  isSilent,
  placeOf,
  readingOf,
  ticksOf,
  winners,
} from "./reading";
import type { Metric, MetricArm, PeriodResults, Verdict } from "./results-query";

const effect = (value: number) => ({
  value,
  standardError: 0.1,
  always: { interval: { low: value - 0.3, high: value + 0.3 }, pValue: 0.01 },
  once: { interval: { low: value - 0.2, high: value + 0.2 }, pValue: 0.01 },
});
const arm = (name: string, verdict?: Verdict, value = 0): MetricArm => ({
  arm: name,
  units: 100,
  reported: 100,
  mean: 1,
  verdict: verdict ?? "no_data",
  ...(verdict && { comparison: { verdict, difference: effect(value) } }),
});
const tips: Metric = {
  name: "tips",
  declared: false,
  direction: "increase",
  kind: "sum",
  baseline: "a",
  comparisons: 1,
  adjusted: false,
  arms: [],
};
const results = (
  arms: readonly MetricArm[],
  warnings: PeriodResults["warnings"] = [],
  direction: Metric["direction"] = "increase",
): PeriodResults => ({
  environment: "production",
  asOf: "2026-11-21T11:00:00.000Z",
  arms: [],
  units: 200,
  multipleExposures: { units: 0, share: 0, warning: false },
  metric: { ...tips, direction, arms },
  warnings,
});

describe("the conclusion", () => {
  it("is the server's verdict if the sample is valid", () => {
    expect(readingOf(arm("b", "better"), results([]))).toBe("better");
    expect(readingOf(arm("b"), results([]))).toBe("no_data");
    expect(readingOf(arm("b", "better"), results([], ["sample_ratio_mismatch"]))).toBe(
      "unreadable",
    );
    expect(readingOf(arm("b", "worse"), results([], ["multiple_exposures"]))).toBe("unreadable");
  });

  it("lists the arms to ship, the best first, and none if the sample is invalid", () => {
    const arms = [arm("a"), arm("b", "better", 1), arm("c", "better", 2), arm("d", "not_yet", 9)];
    expect(winners(results(arms))).toEqual(["c", "b"]);
    expect(winners(results(arms, [], "decrease"))).toEqual(["b", "c"]);
    expect(winners(results(arms, ["sample_ratio_mismatch"]))).toEqual([]);
  });
});

it("hides an arm without weight and people", () => {
  const arms = [
    { arm: "a", weight: 0, units: 0 },
    { arm: "b", weight: 0, units: 3 },
    { arm: "c", weight: 1, units: 0 },
  ];
  expect(armsShown({ arms }).map((arm) => arm.arm)).toEqual(["b", "c"]);
});

it("is silent if no value was reported, but not if every value is 0", () => {
  expect(isSilent({ ...tips, arms: [{ ...arm("a"), mean: 0, reported: 0 }] })).toBe(true);
  expect(isSilent({ ...tips, arms: [{ ...arm("a"), mean: 0 }] })).toBe(false);
});

it("expects shares by weight, and none for an arm without weight", () => {
  expect(expectedShare(33_334, [33_334, 33_333, 33_333])).toBeCloseTo(0.33334);
  expect(expectedShare(0, [0, 100])).toBeNull();
});

describe("the axis", () => {
  it("contains all intervals and 0, even if none is near it", () => {
    const domain = domainOf([
      { low: 2, high: 4 },
      { low: 3, high: 10 },
    ]);
    expect(domain.low).toBeLessThan(0);
    expect(domain.high).toBeGreaterThan(10);
    expect(placeOf(domain.low, domain)).toBe(0);
    expect(placeOf(domain.high, domain)).toBe(100);
  });

  it("has a length even if there is no difference", () => {
    expect(domainOf([])).toEqual({ low: -1, high: 1 });
  });

  it("has round tick values", () => {
    expect(ticksOf({ low: -0.9, high: 3.2 })).toEqual([0, 2]);
    expect(ticksOf({ low: -0.072, high: 0.011 }).map((tick) => tick.toFixed(3))).toEqual([
      "-0.050",
      "0.000",
    ]);
    expect(Object.is(ticksOf({ low: -1, high: 1 })[2], 0)).toBe(true);
  });
});

it.each([
  [12, 0],
  [3, 1],
  [0.7, 2],
  [0.03, 3],
  [0, 0],
])("an error of %d leaves %d decimals", (error, decimals) => {
  expect(decimalsOf(error)).toBe(decimals);
});
