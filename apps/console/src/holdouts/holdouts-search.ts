import { type Address, address, oneOf } from "../routes/address";
import { sortBy } from "../table/sort";

/** The phase of a holdout, which follows from its status and its schedule. */
export const phaseNames = ["running", "analysis", "waiting", "draft", "ended"] as const;
export type PhaseName = (typeof phaseNames)[number];

export const sortable = ["key", "percent", "phase"] as const;

/** The filters of the list, which are in the address. */
export const readHoldoutsSearch = address({ phase: oneOf(...phaseNames), sort: sortBy(sortable) });
export type HoldoutsSearch = Address<typeof readHoldoutsSearch>;
