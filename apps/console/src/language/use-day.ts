import { dateFormat } from "./date-format";
import { useLanguage } from "./language-context";

/** Formats a day, in the browser's time zone. */
export function useDay(): (instant: string) => string {
  const format = dateFormat(useLanguage().language.tag, "day");
  return (instant) => format.format(new Date(instant));
}

/** Formats a day with its time. */
export function useMinute(timeZone?: string): (instant: string) => string {
  const format = dateFormat(useLanguage().language.tag, "minute", timeZone);
  return (instant) => format.format(new Date(instant));
}
