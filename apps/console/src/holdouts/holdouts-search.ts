import { readSort } from "../table/sort";

/** What the list shows: it stands in the address. */
export interface HoldoutsSearch {
  readonly phase?: PhaseName;
  readonly sort?: string;
}

/** What a holdout does now, by its status and its schedule. */
export const phaseNames = ["running", "analysis", "waiting", "draft", "ended"] as const;
export type PhaseName = (typeof phaseNames)[number];

export const sortable = ["key", "percent", "phase"] as const;

export function readHoldoutsSearch(search: Record<string, unknown>): HoldoutsSearch {
  const phase = phaseNames.find((it) => it === search.phase);
  const sort = readSort(search.sort, sortable);
  return { ...(phase && { phase }), ...(sort && { sort }) };
}
