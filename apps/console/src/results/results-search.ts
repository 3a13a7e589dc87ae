import { type Address, address, count, oneOf, text } from "../routes/address";

/**
 * The filters of the results. They are in the address, so that two people can look at the same
 * results.
 */
export const readResultsSearch = address({
  /** Absent means the current phase. */
  phase: count,
  /** Absent means the primary metric. */
  metric: text(),
  goal: oneOf("lower"),
  measure: oneOf("proportion"),
});
export type ResultsSearch = Address<typeof readResultsSearch>;
