import { dateFormat } from "./date-format";
import { useLanguage } from "./language-context";

/** Formats a timestamp to the second, in the browser's time zone. */
export function useInstant(): (instant: string) => string {
  const format = dateFormat(useLanguage().language.tag, "second");
  return (instant) => format.format(new Date(instant));
}

/** Returns the name of the browser's time zone. */
export function timeZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  // The name of a zone that the browser does not know, which no other program knows either.
  return timeZone === "Etc/Unknown" ? "UTC" : timeZone;
}
