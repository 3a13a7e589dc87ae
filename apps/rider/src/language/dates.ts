import { regional } from "@musette/react/language";

/** The digits that the texts of this language use. A region may have others. */
const digits = (locale: string) => new Intl.NumberFormat(locale).resolvedOptions().numberingSystem;

/** Formats a timestamp for the reader: the date with the month's name, the time to the minute. */
export function dateAndTime(locale: string, instant: string): string {
  const format = new Intl.DateTimeFormat(regional(locale), {
    numberingSystem: digits(locale),
    dateStyle: "long",
    timeStyle: "short",
  });
  return format.format(new Date(instant));
}

/** Formats a day for use in a sentence. The year appears only if it is not the current one. */
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

/** Formats a period. Its end has a date only if it is another day. Without an end it is a timestamp. */
export function period(locale: string, start: Date, end?: Date): string {
  const format = new Intl.DateTimeFormat(regional(locale), {
    numberingSystem: digits(locale),
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
  });
  return end && end >= start ? format.formatRange(start, end) : format.format(start);
}

/** Formats a time of day. */
export function timeOfDay(locale: string, at: Date): string {
  const format = new Intl.DateTimeFormat(regional(locale), {
    numberingSystem: digits(locale),
    timeStyle: "short",
  });
  return format.format(at);
}

/** Formats a date with its year. */
export function date(locale: string, at: Date): string {
  const format = new Intl.DateTimeFormat(regional(locale), {
    numberingSystem: digits(locale),
    dateStyle: "long",
  });
  return format.format(at);
}
