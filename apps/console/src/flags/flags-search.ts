import { type Address, address, oneOf, text } from "../routes/address";
import { sortBy } from "../table/sort";

const SORTABLE = ["key", "owner", "on"];
export const STATES = ["on", "off", "stale", "archived"] as const;
export const TYPES = ["boolean", "string", "number", "json"] as const;

/** The filters of the list. They are in the address, so that it can be bookmarked and shared. */
export const readFlagsSearch = address({
  q: text(),
  tag: text(),
  owner: text(),
  type: oneOf(...TYPES),
  state: oneOf(...STATES),
  sort: sortBy(SORTABLE),
});
export type FlagsSearch = Address<typeof readFlagsSearch>;
