import { DAY, startOf } from "../language/days";

/** What the audit page shows: it stands in the address, so that it can be kept and sent. */
export interface AuditSearch {
  /** Of an event, a detail or a user id. */
  readonly q?: string;
  readonly event?: string;
  readonly user?: string;
  /** Days of this browser's time zone, as `2026-11-21`. */
  readonly since?: string;
  readonly until?: string;
}

export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  // The router reads a bare number as one, and a user id may be a number.
  const text = (name: string) => {
    const value = search[name];
    return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
  };
  const q = text("q");
  const event = text("event");
  const user = text("user");
  const since = text("since");
  const until = text("until");
  return {
    ...(q && { q }),
    ...(event && { event }),
    ...(user && { user }),
    ...(DAY.test(since) && { since }),
    ...(DAY.test(until) && { until }),
  };
}

/** As the server is asked. */
export function auditParameters(search: AuditSearch): URLSearchParams {
  const asked = new URLSearchParams();
  if (search.q) asked.set("q", search.q);
  if (search.event) asked.set("event", search.event);
  if (search.user) asked.set("user", search.user);
  if (search.since) asked.set("since", startOf(search.since));
  // The server means "before"; people mean that day too.
  if (search.until) asked.set("until", startOf(search.until, 1));
  return asked;
}
