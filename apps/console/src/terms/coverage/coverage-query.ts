import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { readAdmin } from "../../api/admin";

interface Tally {
  readonly accepted: number;
  readonly refused: number;
}

/** Who has decided what about one term. */
export interface Coverage {
  readonly counted_at: string;
  readonly accepted: number;
  readonly refused: number;
  readonly withdrawn: number;
  readonly riders: number;
  readonly riders_outstanding: number;
  /** Of the last 366 days, in UTC; without those on which nothing was decided. */
  readonly by_day: readonly (Tally & { readonly day: string })[];
  readonly by_language: readonly (Tally & { readonly locale: string })[];
  /** How many came how far. */
  readonly funnel: Funnel;
}

export interface Funnel {
  readonly shown: number;
  readonly opened: number;
  readonly decided: number;
  readonly accepted: number;
}

export interface MissingRider {
  readonly user_id: string;
  readonly name?: string;
}

export interface MissingPage {
  readonly items: readonly MissingRider[];
  readonly next_cursor?: string;
}

const PAGE = 100;
export const EXPORT_PAGE = 200;

export const coverageQuery = (term: number) =>
  queryOptions({
    queryKey: ["terms", "coverage", term],
    queryFn: () => readAdmin<Coverage>(`/terms/${term}/coverage`),
    // On a large store an answer may be some minutes old; the next one is newer.
    refetchInterval: 30_000,
  });

export function fetchMissing(term: number, q: string, cursor: string, limit: number) {
  const asked = new URLSearchParams({ limit: String(limit) });
  if (q) asked.set("q", q);
  if (cursor) asked.set("cursor", cursor);
  return readAdmin<MissingPage>(`/terms/${term}/missing?${asked}`);
}

export const missingQuery = (term: number, q: string) =>
  infiniteQueryOptions({
    queryKey: ["terms", "missing", term, q],
    queryFn: ({ pageParam }) => fetchMissing(term, q, pageParam, PAGE),
    initialPageParam: "",
    getNextPageParam: (last) => last.next_cursor,
  });
