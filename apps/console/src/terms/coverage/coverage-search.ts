import { MARKET_CODE } from "../../markets/code";
import { type Address, address, oneOf, text } from "../../routes/address";
import { DAY } from "../../ui/as-of/as-of";

export const ranges = [30, 90, 366] as const;
export type Range = (typeof ranges)[number];

/** What the page of a term's coverage shows: it stands in the address. */
export const readCoverageSearch = address({
  /** So many days of the chart; 30 unless it says otherwise. */
  days: (value) => oneOf(90, 366)(Number(value)),
  /** The day at whose end it is looked at; now unless it says otherwise. */
  as_of: text(DAY),
  market: text(MARKET_CODE),
  /** Part of the name of a rider who is missing, or how an id begins. */
  q: (value) => text()(value)?.slice(0, 100),
});
export type CoverageSearch = Address<typeof readCoverageSearch>;
