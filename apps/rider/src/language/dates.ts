import { regional } from "@musette/react/language";

/** The digits of the texts around it: a region may have others. */
const digits = (locale: string) => new Intl.NumberFormat(locale).resolvedOptions().numberingSystem;

/** An instant as the person reads it: the day in words, the time to the minute. */
export function dateAndTime(locale: string, instant: string): string {
  const format = new Intl.DateTimeFormat(regional(locale), {
    numberingSystem: digits(locale),
    dateStyle: "long",
    timeStyle: "short",
  });
  return format.format(new Date(instant));
}

/** A day as it is said in a sentence; the year only where it is not this one. */
export function day(locale: string, instant: string, now = new Date()): string {
  const at = new Date(instant);
  const sameYear = at.getFullYear() === now.getFullYear();
  const format = new Intl.DateTimeFormat(regional(locale), {
    numberingSystem: digits(locale),
    day: "numeric",
    month: "long",
    ...(!sameYear && { year: "numeric" }),
  });
  return format.format(at);
}
