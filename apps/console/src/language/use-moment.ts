import { useMemo } from "react";
import { dateLocale } from "./date-locale";
import { useLanguage } from "./language-context";

/** Formats a timestamp to the minute, in the browser's time zone. */
export function useMoment(): (instant: string) => string {
  const { tag } = useLanguage().language;
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(dateLocale(tag), {
      weekday: "short",
      year: "numeric",
      month: "short",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
    return (instant) => format.format(new Date(instant));
  }, [tag]);
}
