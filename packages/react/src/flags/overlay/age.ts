/** Returns an age such as "3 minutes ago" in the language of the browser. */
export function age(since: string, locale: string, nowMs = Date.now()): string {
  const seconds = Math.round((Date.parse(since) - nowMs) / 1000);
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const size = Math.abs(seconds);
  if (size < 90) return format.format(seconds, "second");
  if (size < 5_400) return format.format(Math.round(seconds / 60), "minute");
  if (size < 129_600) return format.format(Math.round(seconds / 3_600), "hour");
  return format.format(Math.round(seconds / 86_400), "day");
}
