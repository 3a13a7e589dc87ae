/** The value of a date input. */
export const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Days of UTC, for pages whose charts have them; otherwise days of this browser's time zone. */
export const UTC = "utc";
export type DayZone = typeof UTC | undefined;

const two = (number: number) => String(number).padStart(2, "0");

export const dayOf = (at: Date, zone?: DayZone): string =>
  zone === UTC
    ? at.toISOString().slice(0, 10)
    : `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;

/**
 * Returns the last millisecond of a past day; undefined for today, which means now, and for invalid
 * text.
 */
export function endOfDay(
  day: string | undefined,
  zone?: DayZone,
  now = new Date(),
): string | undefined {
  if (day === undefined || !DAY.test(day) || day >= dayOf(now, zone)) return undefined;
  const end = new Date(`${day}T23:59:59.999${zone === UTC ? "Z" : ""}`);
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
}
