import { type Address, address, oneOf, text } from "../routes/address";
import { sortBy } from "../table/sort";

export const statuses = ["running", "draft", "stopped", "shipped"] as const;
export const sortable = ["key", "flag", "status"] as const;

/** The filters of the list, which are in the address. */
export const readExperimentsSearch = address({
  status: oneOf(...statuses),
  q: text(),
  sort: sortBy(sortable),
});
export type ExperimentsSearch = Address<typeof readExperimentsSearch>;
