import type { ExperimentStatus } from "../configuration/document/document";
import { readSort } from "../table/sort";

/** What the list shows: it stands in the address. */
export interface ExperimentsSearch {
  readonly status?: ExperimentStatus;
  readonly q?: string;
  readonly sort?: string;
}

export const statuses = ["running", "draft", "stopped", "shipped"] as const;
export const sortable = ["key", "flag", "status"] as const;

export function readExperimentsSearch(search: Record<string, unknown>): ExperimentsSearch {
  const status = statuses.find((it) => it === search.status);
  // The router reads a bare number as one, and an experiment may be called so.
  const q =
    typeof search.q === "string" || typeof search.q === "number" ? String(search.q).trim() : "";
  const sort = readSort(search.sort, sortable);
  return { ...(status && { status }), ...(q && { q }), ...(sort && { sort }) };
}
