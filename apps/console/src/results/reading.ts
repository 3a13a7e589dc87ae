import type { Interval, Metric, MetricArm, Seen, Verdict } from "./results-query";

/** What may be concluded from an arm today. */
export type Reading = Verdict | "unreadable";

/** Where people were lost on their way or seen in two arms, no difference can be believed. */
export const isUnreadable = ({ warnings }: Pick<Seen, "warnings">): boolean => warnings.length > 0;

export function readingOf(arm: MetricArm, seen: Pick<Seen, "warnings">): Reading {
  return isUnreadable(seen) ? "unreadable" : (arm.comparison?.verdict ?? "no_data");
}

/** An arm that is not drawn and that nobody ever met has no place on a page. */
export function armsShown({ arms }: Pick<Seen, "arms">): Seen["arms"] {
  return arms.filter(({ weight, units }) => weight > 0 || units > 0);
}

/** Whether nobody has reported a value: averages of nothing are no averages. */
export const isSilent = ({ arms }: Metric): boolean => arms.every(({ reported }) => reported === 0);

/** Arms that could be shipped: better than the baseline, the best first. */
export function winners(seen: Seen): readonly string[] {
  if (isUnreadable(seen) || !seen.metric) return [];
  const sign = seen.metric.direction === "increase" ? -1 : 1;
  const better = seen.metric.arms.filter(({ comparison }) => comparison?.verdict === "better");
  const by = ({ comparison }: MetricArm) => sign * (comparison?.difference.value ?? 0);
  return better.sort((a, b) => by(a) - by(b)).map(({ arm }) => arm);
}

/** A share of all people, expected by the weights; null where an arm has no weight any more. */
export function expectedShare(weight: number, weights: readonly number[]): number | null {
  const all = weights.reduce((sum, it) => sum + it, 0);
  return weight > 0 && all > 0 ? weight / all : null;
}

/** The stretch of the axis that holds all intervals and 0, with some air. */
export function domainOf(intervals: readonly Interval[]): Interval {
  const low = Math.min(0, ...intervals.map((it) => it.low));
  const high = Math.max(0, ...intervals.map((it) => it.high));
  const air = (high - low) * 0.06 || 1;
  return { low: low - air, high: high + air };
}

/** Where on the axis a value is, as a percentage of its length. */
export const placeOf = (value: number, { low, high }: Interval): number =>
  ((value - low) / (high - low)) * 100;

/** A few round numbers within the axis, 0 among them. */
export function ticksOf({ low, high }: Interval): readonly number[] {
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((it) => it * power).find((it) => it >= rough) ?? rough;
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  // 0 and not -0, which would be written with a sign.
  return Array.from({ length: count }, (_, at) => (first + at) * step || 0);
}

/** So many decimals that the last one still says something beside this error. */
export function decimalsOf(standardError: number): number {
  if (!(standardError > 0)) return 0;
  return Math.min(Math.max(1 - Math.floor(Math.log10(standardError)), 0), 6);
}
