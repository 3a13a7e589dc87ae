const DAY_MS = 86_400_000;

/** Days until a new version takes effect, so that its riders can read it first. */
export const NOTICE_DAYS = 7;
/** Days after that during which riders who have not accepted can still work. */
export const GRACE_DAYS = 14;

/** Returns midnight in so many days, which is easy to read. */
export function midnight(days: number, after = Date.now()): string {
  const day = new Date(after + days * DAY_MS);
  day.setHours(0, 0, 0, 0);
  return day.toISOString();
}

/** Returns the dates of a new draft. With them, publishing blocks no rider immediately. */
export function defaultDates(now = Date.now()) {
  const effective_from = midnight(NOTICE_DAYS, now);
  return { effective_from, grace_until: midnight(GRACE_DAYS, Date.parse(effective_from)) };
}
