import { dateLocale } from "./date-locale";
import { useLanguage } from "./language-context";

/** Formats a timestamp to the second, in the browser's time zone. */
export function useInstant(): (instant: string) => string {
  const { tag } = useLanguage().language;
  const format = new Intl.DateTimeFormat(dateLocale(tag), {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    // The 24-hour clock can be compared at a glance, even around noon.
    hourCycle: "h23",
  });
  return (instant) => format.format(new Date(instant));
}

export function timeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
