import { dateLocale } from "./date-locale";
import { useLanguage } from "./language-context";

/** Formats a day, in the browser's time zone. */
export function useDay(): (instant: string) => string {
  const { tag } = useLanguage().language;
  const format = new Intl.DateTimeFormat(dateLocale(tag), { dateStyle: "medium" });
  return (instant) => format.format(new Date(instant));
}

/** Formats a day with its time. */
export function useMinute(timeZone?: string): (instant: string) => string {
  const { tag } = useLanguage().language;
  const format = new Intl.DateTimeFormat(dateLocale(tag), {
    dateStyle: "medium",
    timeStyle: "short",
    ...(timeZone && { timeZone }),
  });
  return (instant) => format.format(new Date(instant));
}
