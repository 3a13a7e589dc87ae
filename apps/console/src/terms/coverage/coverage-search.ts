import { DAY } from "../../language/days";
import { MARKET_CODE } from "../../markets/code";
import { type Address, address, oneOf, text } from "../../routes/address";

export const ranges = [30, 90, 366] as const;
export type Range = (typeof ranges)[number];

/** The filters of a term's coverage page, which are in the address. */
export const readCoverageSearch = address({
  /** The number of days in the chart; absent means 30. */
  days: (value) => oneOf(90, 366)(Number(value)),
  /** The day at whose end the state is shown; absent means now. */
  as_of: text(DAY),
  market: text(MARKET_CODE),
  /** The list of riders; absent means the first that the version has. */
  list: oneOf("declined", "withdrawn"),
  /** Part of the name of a rider in the list, or the beginning of an id. */
  q: (value) => text()(value)?.slice(0, 100),
});
export type CoverageSearch = Address<typeof readCoverageSearch>;
