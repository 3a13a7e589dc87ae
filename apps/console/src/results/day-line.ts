import { domainOf } from "./reading";
import type { Daily, Interval } from "./results-query";

/** One arm at the end of one day. */
export interface DayPoint {
  readonly date: string;
  readonly units: number;
  readonly difference: number;
  readonly interval: Interval;
}

/** Returns each arm's days that have enough data for a comparison. */
export function linesOf({ days }: Pick<Daily, "days">): ReadonlyMap<string, readonly DayPoint[]> {
  const lines = new Map<string, DayPoint[]>();
  for (const { date, arms } of days) {
    for (const { arm, units, difference, interval } of arms) {
      if (difference === undefined || !interval) continue;
      const line = lines.get(arm) ?? [];
      line.push({ date, units, difference, interval });
      lines.set(arm, line);
    }
  }
  return lines;
}

/** The first days have wide intervals, which would flatten all later ones. */
const WIDEST = 4;

/** Returns the shared axis of all arms: the range of the last days, limited to a few times its width. */
export function lineDomain(lines: ReadonlyMap<string, readonly DayPoint[]>): Interval {
  const points = [...lines.values()].flat();
  const last = [...lines.values()].flatMap((line) => line.slice(-1));
  const widest = Math.max(...last.map(({ interval }) => interval.high - interval.low)) * WIDEST;
  const shown = points.map(({ difference, interval }) => ({
    low: Math.max(interval.low, difference - widest / 2),
    high: Math.min(interval.high, difference + widest / 2),
  }));
  return domainOf(shown);
}
