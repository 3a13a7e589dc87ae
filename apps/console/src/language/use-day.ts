import { useLanguage } from "./language-context";

/** A day as people of this language write it, in the time zone of this browser. */
export function useDay(): (instant: string) => string {
  const { tag } = useLanguage().language;
  const format = new Intl.DateTimeFormat(tag, { dateStyle: "medium" });
  return (instant) => format.format(new Date(instant));
}

/** The same with its hour, for what begins and ends on the minute. */
export function useMinute(timeZone?: string): (instant: string) => string {
  const { tag } = useLanguage().language;
  const format = new Intl.DateTimeFormat(tag, {
    dateStyle: "medium",
    timeStyle: "short",
    ...(timeZone && { timeZone }),
  });
  return (instant) => format.format(new Date(instant));
}
