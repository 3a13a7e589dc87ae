import { DAY, startOf } from "../language/days";
import { MARKET_CODE } from "../markets/code";
import { type Address, address, count, oneOf, text } from "../routes/address";

const TYPE = /^[A-Z][A-Z0-9_]{0,31}$/;

/** Which decisions are shown: it stands in the address, so that it can be kept and sent. */
export const readConsentsSearch = address({
  term: count,
  type: text(TYPE),
  user: text(),
  market: text(MARKET_CODE),
  accepted: oneOf(true, false),
  /** Days of this browser's time zone, as `2026-11-21`. */
  since: text(DAY),
  until: text(DAY),
});
export type ConsentsSearch = Address<typeof readConsentsSearch>;

/** Query parameters of the request. */
export function consentsParameters({ since, until, ...search }: ConsentsSearch) {
  return {
    ...search,
    ...(since && { since: startOf(since) }),
    // The server means "before"; people mean that day too.
    ...(until && { until: startOf(until, 1) }),
  };
}
