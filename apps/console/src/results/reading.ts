import type { Interval, Metric, MetricArm, PeriodResults, Verdict } from "./results-query";

/** The conclusion for an arm to date. */
export type Reading = Verdict | "unreadable";

/** If events are missing or people were in two arms, no difference is valid. */
export const isUnreadable = ({ warnings }: Pick<PeriodResults, "warnings">): boolean =>
  warnings.length > 0;

export function readingOf(arm: MetricArm, results: Pick<PeriodResults, "warnings">): Reading {
  return isUnreadable(results) ? "unreadable" : (arm.comparison?.verdict ?? "no_data");
}

/** Returns the arms to show, without those that have no weight and no people. */
export function armsShown({ arms }: Pick<PeriodResults, "arms">): PeriodResults["arms"] {
  return arms.filter(({ weight, units }) => weight > 0 || units > 0);
}

/** Whether no value was reported: there is no average then. */
export const isSilent = ({ arms }: Metric): boolean => arms.every(({ reported }) => reported === 0);

/** Returns the arms that can be shipped: better than the baseline, the best first. */
export function winners(results: PeriodResults): readonly string[] {
  if (isUnreadable(results) || !results.metric) return [];
  const sign = results.metric.direction === "increase" ? -1 : 1;
  const better = results.metric.arms.filter(({ comparison }) => comparison?.verdict === "better");
  const by = ({ comparison }: MetricArm) => sign * (comparison?.difference.value ?? 0);
  return better.sort((a, b) => by(a) - by(b)).map(({ arm }) => arm);
}

/** Returns the expected share of all people by weight; null if the arm has no weight. */
export function expectedShare(weight: number, weights: readonly number[]): number | null {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return weight > 0 && all > 0 ? weight / all : null;
}

/** Returns the range of the axis: all intervals and 0, with a margin. */
export function domainOf(intervals: readonly Interval[]): Interval {
  const low = Math.min(0, ...intervals.map((interval) => interval.low));
  const high = Math.max(0, ...intervals.map((interval) => interval.high));
  const air = (high - low) * 0.06 || 1;
  return { low: low - air, high: high + air };
}

/** Returns the position of a value on the axis, as a percentage of its length. */
export const placeOf = (value: number, { low, high }: Interval): number =>
  ((value - low) / (high - low)) * 100;

/** Returns a few round numbers within the axis, including 0. */
export function ticksOf({ low, high }: Interval): readonly number[] {
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step =
    [1, 2, 5, 10].map((factor) => factor * power).find((factor) => factor >= rough) ?? rough;
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  // 0 instead of -0, which would be formatted with a sign.
  return Array.from({ length: count }, (_, at) => (first + at) * step || 0);
}

/** Returns the number of decimals that are meaningful with this standard error. */
export function decimalsOf(standardError: number): number {
  if (!(standardError > 0)) return 0;
  return Math.min(Math.max(1 - Math.floor(Math.log10(standardError)), 0), 6);
}
