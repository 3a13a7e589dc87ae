import { type Address, address, oneOf } from "../routes/address";
import { sortBy } from "../table/sort";

/** What a holdout does now, by its status and its schedule. */
export const phaseNames = ["running", "analysis", "waiting", "draft", "ended"] as const;
export type PhaseName = (typeof phaseNames)[number];

export const sortable = ["key", "percent", "phase"] as const;

/** What the list shows: it stands in the address. */
export const readHoldoutsSearch = address({ phase: oneOf(...phaseNames), sort: sortBy(sortable) });
export type HoldoutsSearch = Address<typeof readHoldoutsSearch>;
