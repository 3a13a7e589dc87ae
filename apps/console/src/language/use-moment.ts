import { useMemo } from "react";
import { useLanguage } from "./language-context";

/** A moment of the plan, to the minute, in the time zone of this browser. */
export function useMoment(): (instant: string) => string {
  const { tag } = useLanguage().language;
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(tag, {
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
