/** A day as the value of a date field: `2026-11-21`. */
export const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the timestamp of the beginning of a day in the browser's time zone, plus `later` days. */
export function startOf(day: string, later = 0): string {
  const [year, month, date] = day.split("-").map(Number);
  return new Date(year ?? 0, (month ?? 1) - 1, (date ?? 1) + later).toISOString();
}
