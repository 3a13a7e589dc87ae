import { DAY, startOf } from "../language/days";
import { MARKET_CODE } from "../markets/code";
import { type Address, address, count, oneOf, text } from "../routes/address";

const TYPE = /^[A-Z][A-Z0-9_]{0,31}$/;

/** The filters of the decisions. They are in the address, so that it can be bookmarked and shared. */
export const readConsentsSearch = address({
  term: count,
  type: text(TYPE),
  user: text(),
  market: text(MARKET_CODE),
  decision: oneOf("accepted", "declined", "withdrawn"),
  /** Days in this browser's time zone, such as `2026-11-21`. */
  since: text(DAY),
  until: text(DAY),
});
export type ConsentsSearch = Address<typeof readConsentsSearch>;

/** Returns the query parameters of the request. */
export function consentsParameters({ since, until, ...search }: ConsentsSearch) {
  return {
    ...search,
    ...(since && { since: startOf(since) }),
    // The server's `until` is exclusive, but people mean the whole day.
    ...(until && { until: startOf(until, 1) }),
  };
}
