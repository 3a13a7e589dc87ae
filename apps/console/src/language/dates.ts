import { useLanguage } from "./language-context";

/** An instant as people of this language write it, in the time zone of this browser, which it names. */
export function useInstant(): (instant: string) => string {
  const { tag } = useLanguage().language;
  const format = new Intl.DateTimeFormat(tag, {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    // Of things that happened one after the other: in order at a glance, also around noon.
    hourCycle: "h23",
  });
  return (instant) => format.format(new Date(instant));
}

export function timeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
