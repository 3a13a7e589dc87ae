/** A day as the value of a date field: `2026-11-21`. */
export const DAY = /^\d{4}-\d{2}-\d{2}$/;

const two = (number: number) => String(number).padStart(2, "0");

/** Returns the day of a time in the browser's time zone. */
export const dayOf = (at: Date): string =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;

/** Returns the day that is so many days after another one. */
export function dayAfter(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

/** Returns the timestamp of the beginning of a day in the browser's time zone, plus `later` days. */
export function startOf(day: string, later = 0): string {
  const [year, month, date] = day.split("-").map(Number);
  return new Date(year ?? 0, (month ?? 1) - 1, (date ?? 1) + later).toISOString();
}

/**
 * Returns the last millisecond of a past day in the browser's time zone; undefined for today, which
 * means now, and for invalid text.
 */
export function endOfDay(day: string | undefined, now = new Date()): string | undefined {
  if (day === undefined || !DAY.test(day) || day >= dayOf(now)) return undefined;
  const end = new Date(`${day}T23:59:59.999`);
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
}
