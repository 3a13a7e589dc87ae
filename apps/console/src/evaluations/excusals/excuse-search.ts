import { MARKET_CODE } from "../../markets/code";
import { type Address, address, oneOf, text } from "../../routes/address";
import { STATUSES } from "../evaluations-search";

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
/** The longest period that the server searches. */
const PERIOD_MAX_MS = 7 * 86_400_000;

/** The filters of the selection. They are in the address, so that it can be shared. */
export const readExcuseSearch = address({
  from: text(INSTANT),
  until: text(INSTANT),
  status: oneOf(...STATUSES),
  market: text(MARKET_CODE),
  user: text(),
  reference: text(),
});

export type ExcuseSearch = Address<typeof readExcuseSearch>;

/** Whether the begin of the work is limited as the server demands it. */
export function isPeriod({ from, until }: ExcuseSearch): boolean {
  const length = Date.parse(until ?? "") - Date.parse(from ?? "");
  return length > 0 && length <= PERIOD_MAX_MS;
}

/** Returns the query parameters of the preview. */
export function previewParameters(search: ExcuseSearch) {
  const { from = "", until = "", status, market, user, reference } = search;
  return {
    starts_from: from,
    starts_until: until,
    ...(status && { status }),
    ...(market && { market }),
    ...(user && { user_id: user }),
    ...(reference && { subject_reference: reference }),
  };
}
