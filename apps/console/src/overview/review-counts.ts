import { SOON_MS } from "../evaluations/evaluations-search";

export interface DueCount {
  readonly overdue: number;
  /** Due within 4 days, and not overdue. */
  readonly soon: number;
  /** All of them. */
  readonly open: number;
}

/** Counts answers by the date on which they are due. One without a date is not open. */
export function countDue(dates: readonly (string | null | undefined)[], now: Date): DueCount {
  const remaining = dates.flatMap((date) => (date ? [Date.parse(date) - now.getTime()] : []));
  const overdue = remaining.filter((ms) => ms < 0).length;
  const soon = remaining.filter((ms) => ms >= 0 && ms < SOON_MS).length;
  return { overdue, soon, open: remaining.length };
}
