import { MARKET_CODE } from "../markets/code";
import { type Address, address, oneOf, text } from "../routes/address";
export const statuses = [
  "draft",
  "scheduled",
  "active",
  "superseded",
  "cancelled",
  "retired",
] as const;
export type TermStatus = (typeof statuses)[number];

export const sorts = ["order", "newest", "title"] as const;
export type TermsSort = (typeof sorts)[number];

/** As the server takes a type. */
export const TYPE = /^[A-Z][A-Z0-9_]{0,31}$/;

/** What the list shows: it stands in the address, so that it can be kept and sent. */
export const readTermsSearch = address({
  status: oneOf(...statuses),
  type: text(TYPE),
  market: text(MARKET_CODE),
  /** In the order in which riders see them unless it says otherwise. */
  sort: oneOf("newest", "title"),
});
export type TermsSearch = Address<typeof readTermsSearch>;
