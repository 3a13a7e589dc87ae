import { readSort } from "../table/sort";

const SORTABLE = ["key", "owner", "on"];
export const STATES = ["on", "off", "stale", "archived"] as const;
export const TYPES = ["boolean", "string", "number", "json"] as const;

/** What the list shows: it stands in the address, so that it can be kept and sent. */
export interface FlagsSearch {
  readonly q?: string;
  readonly tag?: string;
  readonly owner?: string;
  readonly type?: (typeof TYPES)[number];
  readonly state?: (typeof STATES)[number];
  /** A column, with a minus the other way round. */
  readonly sort?: string;
}

export function readFlagsSearch(search: Record<string, unknown>): FlagsSearch {
  // The router reads a bare number or truth value as one, and a key or a tag may be called so.
  const text = (name: string) => {
    const value = search[name];
    return ["string", "number", "boolean"].includes(typeof value) ? String(value).trim() : "";
  };
  const [q, tag, owner] = [text("q"), text("tag"), text("owner")];
  const type = TYPES.find((it) => it === search.type);
  const state = STATES.find((it) => it === search.state);
  const sort = readSort(search.sort, SORTABLE);
  return {
    ...(q && { q }),
    ...(tag && { tag }),
    ...(owner && { owner }),
    ...(type && { type }),
    ...(state && { state }),
    ...(sort && { sort }),
  };
}
