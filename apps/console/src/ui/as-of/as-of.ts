/** The value of a date input: a day in this browser's time zone. */
export const DAY = /^\d{4}-\d{2}-\d{2}$/;

const two = (number: number) => String(number).padStart(2, "0");

export const dayOf = (at: Date): string =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;

/**
 * Returns the last millisecond of a past day; undefined for today, which means now, and for invalid
 * text.
 */
export function endOfDay(day: string | undefined, now = new Date()): string | undefined {
  if (day === undefined || !DAY.test(day) || day >= dayOf(now)) return undefined;
  const end = new Date(`${day}T23:59:59.999`);
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
}
