import { DAY, startOf } from "../language/days";
import { type Address, address, text } from "../routes/address";

/** What the audit page shows: it stands in the address, so that it can be kept and sent. */
export const readAuditSearch = address({
  /** Part of an event, a detail or a user id. */
  q: text(),
  event: text(),
  user: text(),
  /** Days of this browser's time zone, as `2026-11-21`. */
  since: text(DAY),
  until: text(DAY),
});
export type AuditSearch = Address<typeof readAuditSearch>;

/** Query parameters of the request. */
export function auditParameters({ since, until, ...search }: AuditSearch) {
  return {
    ...search,
    ...(since && { since: startOf(since) }),
    // The server means "before"; people mean that day too.
    ...(until && { until: startOf(until, 1) }),
  };
}
