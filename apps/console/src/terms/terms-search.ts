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

/** A type as the server accepts it. */
export const TYPE = /^[A-Z][A-Z0-9_]{0,31}$/;

/** The filters of the list. They are in the address, so that it can be bookmarked and shared. */
export const readTermsSearch = address({
  status: oneOf(...statuses),
  type: text(TYPE),
  market: text(MARKET_CODE),
  /** Absent means the riders' order. */
  sort: oneOf("newest", "title"),
});
export type TermsSearch = Address<typeof readTermsSearch>;
