import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client";
import type { Wire } from "../../api/wire";
import { timeZone } from "../../language/dates";
import type { List } from "./phase";

export type Coverage = Wire<"Coverage">;

export type Funnel = Wire<"FunnelBody">;

export type MissingRider = Wire<"MissingRider">;

export type MissingPage = Wire<"Paged_MissingRider">;

const PAGE = 100;
export const EXPORT_PAGE = 200;

/** At `asOf`; without it, now. The days are those of the browser's time zone. */
export const coverageQuery = (term: number, asOf?: string, market?: string) =>
  queryOptions({
    queryKey: ["terms", "coverage", term, asOf ?? "", market ?? ""],
    queryFn: () =>
      api.get("/api/admin/v1/terms/{id}/coverage", {
        path: { id: term },
        query: {
          timezone: timeZone(),
          ...(asOf && { as_of: asOf }),
          ...(market && { market }),
        },
      }),
    // With a large database, an answer may be some minutes old. A later one is newer.
    refetchInterval: asOf ? false : 30_000,
  });

/** The riders of a list whose id or name contains `q`, at `asOf`; without it, now. */
export interface MissingFilter {
  readonly term: number;
  readonly list: List;
  readonly q: string;
  readonly asOf: string | undefined;
  readonly market?: string | undefined;
}

export function fetchMissing(
  { term, list, q, asOf, market }: MissingFilter,
  cursor: string,
  limit: number,
) {
  return api.get("/api/admin/v1/terms/{id}/missing", {
    path: { id: term },
    query: {
      limit,
      decision: list,
      ...(q && { q }),
      ...(asOf && { as_of: asOf }),
      ...(market && { market }),
      ...(cursor && { cursor }),
    },
  });
}

export const missingQuery = (filter: MissingFilter) =>
  infiniteQueryOptions({
    queryKey: ["terms", "missing", filter],
    queryFn: ({ pageParam }) => fetchMissing(filter, pageParam, PAGE),
    initialPageParam: "",
    getNextPageParam: (last) => last.next_cursor,
  });
