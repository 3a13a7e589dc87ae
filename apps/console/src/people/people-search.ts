import { CONSOLE_ROLES } from "../api/grants";
import { MARKET_CODE } from "../markets/code";
import { type Address, address, oneOf, text } from "../routes/address";

/** Roles without access to this console. */
export const PLAIN_ROLES = ["rider", "worker"] as const;
export const ROLES = [...PLAIN_ROLES, ...CONSOLE_ROLES] as const;

/**
 * The filters of the list of people. They are in the address, so that it can be bookmarked and
 * shared.
 */
export const readPeopleSearch = address({
  q: text(),
  role: oneOf(...ROLES),
  market: text(MARKET_CODE),
});
export type PeopleSearch = Address<typeof readPeopleSearch>;
