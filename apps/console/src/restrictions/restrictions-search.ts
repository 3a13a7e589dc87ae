import { MARKET_CODE } from "../markets/code";
import { type Address, address, oneOf, text } from "../routes/address";

export const STATUSES = ["PROPOSED", "DISMISSED", "IMPOSED", "LIFTED", "EXPIRED"] as const;

/** The filters of the list. They are in the address, so that it can be bookmarked and shared. */
export const readRestrictionsSearch = address({
  status: oneOf(...STATUSES),
  market: text(MARKET_CODE),
  user: text(),
});

export type RestrictionsSearch = Address<typeof readRestrictionsSearch>;

/** The rider of a new restriction, for links from other pages. */
export const readNewRestrictionSearch = address({ user: text() });
