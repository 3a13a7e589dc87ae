import { dateLocale } from "./date-locale";

const DAY = { year: "numeric", month: "short", day: "numeric" } as const;
// The 24-hour clock can be compared at a glance, even around noon.
const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/** The ways to write a date. Nothing else in the console formats one. */
const FORMATS = {
  /** 27 Nov 2026 */
  day: DAY,
  /** 27 Nov 2026, 16:07 */
  minute: { ...DAY, ...CLOCK },
  /** Fri, 27 Nov 2026, 16:07 */
  weekday: { weekday: "short", ...DAY, ...CLOCK },
  /** 27 Nov 2026, 16:07:09 */
  second: { ...DAY, ...CLOCK, second: "2-digit" },
  /** 16:07 */
  clock: CLOCK,
  /** 16:07:09 */
  clockSecond: { ...CLOCK, second: "2-digit" },
  /** November 2026 */
  month: { year: "numeric", month: "long" },
  /** 27 November 2026 */
  long: { year: "numeric", month: "long", day: "numeric" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

export type DateFormat = keyof typeof FORMATS;

/** Returns a format for timestamps, in the browser's time zone unless another one is given. */
export function dateFormat(
  tag: string,
  format: DateFormat,
  timeZone?: string,
  browser?: readonly string[],
): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(dateLocale(tag, browser), {
    ...FORMATS[format],
    ...(timeZone && { timeZone }),
  });
}

/**
 * Returns a format for days without a time, such as `2026-11-21`. The value is read as a time in
 * UTC, so that its day is the same in every browser.
 */
export const calendarFormat = (tag: string, format: "day" | "month"): Intl.DateTimeFormat =>
  dateFormat(tag, format, "UTC");
