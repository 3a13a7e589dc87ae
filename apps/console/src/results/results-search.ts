import { type Address, address, count, oneOf, text } from "../routes/address";

/** Which results a page shows: it stands in the address, so that two people look at the same. */
export const readResultsSearch = address({
  /** The current one where it is absent. */
  phase: count,
  /** The primary one where it is absent. */
  metric: text(),
  goal: oneOf("lower"),
  measure: oneOf("proportion"),
});
export type ResultsSearch = Address<typeof readResultsSearch>;
