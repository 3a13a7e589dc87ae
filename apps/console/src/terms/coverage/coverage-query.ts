import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client";
import type { Wire } from "../../api/wire";

export type Coverage = Wire<"Coverage">;

export type Funnel = Wire<"FunnelBody">;

export type MissingRider = Wire<"MissingRider">;

export type MissingPage = Wire<"Paged_MissingRider">;

const PAGE = 100;
export const EXPORT_PAGE = 200;

export const coverageQuery = (term: number) =>
  queryOptions({
    queryKey: ["terms", "coverage", term],
    queryFn: () => api.get("/api/admin/v1/terms/{id}/coverage", { path: { id: term } }),
    // On a large store an answer may be some minutes old; the next one is newer.
    refetchInterval: 30_000,
  });

export function fetchMissing(term: number, q: string, cursor: string, limit: number) {
  return api.get("/api/admin/v1/terms/{id}/missing", {
    path: { id: term },
    query: { limit, ...(q && { q }), ...(cursor && { cursor }) },
  });
}

export const missingQuery = (term: number, q: string) =>
  infiniteQueryOptions({
    queryKey: ["terms", "missing", term, q],
    queryFn: ({ pageParam }) => fetchMissing(term, q, pageParam, PAGE),
    initialPageParam: "",
    getNextPageParam: (last) => last.next_cursor,
  });
