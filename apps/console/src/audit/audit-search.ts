import { DAY, startOf } from "../language/days";
import { type Address, address, text } from "../routes/address";

/** The filters of the audit page. They are in the address, so that it can be bookmarked and shared. */
export const readAuditSearch = address({
  /** Part of an event, a detail or a user id. */
  q: text(),
  event: text(),
  user: text(),
  /** Days in this browser's time zone, such as `2026-11-21`. */
  since: text(DAY),
  until: text(DAY),
});
export type AuditSearch = Address<typeof readAuditSearch>;

/** Returns the query parameters of the request. */
export function auditParameters({ since, until, ...search }: AuditSearch) {
  return {
    ...search,
    ...(since && { since: startOf(since) }),
    // The server's `until` is exclusive, but people mean the whole day.
    ...(until && { until: startOf(until, 1) }),
  };
}
