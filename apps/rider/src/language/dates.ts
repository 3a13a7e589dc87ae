/** An instant as the person reads it: the day in words, the time to the minute. */
export function dateAndTime(locale: string, instant: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short" }).format(
    new Date(instant),
  );
}
