import { dayAfter } from "../language/days";

interface Day {
  /** As `2026-11-21`. */
  readonly day: string;
  readonly riders_accepted: number;
}

/**
 * Returns the acceptance rate at the end of each of the last days, oldest first: those whose latest
 * decision of that day or an earlier one is an acceptance.
 */
export function rateLine(
  byDay: readonly Day[],
  { riders, accepted }: { readonly riders: number; readonly accepted: number },
  today: string,
  days: number,
): readonly number[] {
  const on = new Map(byDay.map(({ day, riders_accepted }) => [day, riders_accepted]));
  const line: number[] = [];
  let count = accepted;
  for (let back = 0; back < days; back++) {
    line.unshift(riders > 0 ? count / riders : 0);
    count -= on.get(dayAfter(today, -back)) ?? 0;
  }
  return line;
}
