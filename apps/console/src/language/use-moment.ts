import { useMemo } from "react";
import { dateFormat } from "./date-format";
import { useLanguage } from "./language-context";

/** Formats a timestamp to the minute with its weekday, in the browser's time zone. */
export function useMoment(): (instant: string) => string {
  const { tag } = useLanguage().language;
  return useMemo(() => {
    const format = dateFormat(tag, "weekday");
    return (instant) => format.format(new Date(instant));
  }, [tag]);
}
