import { queryOptions } from "@tanstack/react-query";
import { readAdmin } from "../api/admin";
import { type Paged, pagesQuery } from "../api/pages";
import { type ConsentsSearch, consentsParameters } from "./consents-search";

export interface Decision {
  readonly receipt_id: string;
  /** Empty: an applicant's, or somebody's who was erased. */
  readonly user_id: string;
  readonly user_type: string;
  readonly terms_and_conditions_id: number;
  readonly accepted: boolean;
  readonly consented_at: string;
  readonly recorded_at: string;
  readonly sha256: string;
  readonly evidence: string;
  readonly type: string;
  readonly version: number;
  readonly label: string | null;
  readonly title: string;
}

export const consentPagesQuery = (search: ConsentsSearch) =>
  pagesQuery<Decision>("/consents", consentsParameters(search));

export interface PublishedTerm {
  readonly id: number;
  readonly type: string;
  readonly version: number;
  readonly label: string | null;
  readonly variants: readonly {
    readonly locale: string;
    readonly title: string;
    readonly sha256: string;
  }[];
}

/** To choose from, and to name what a receipt speaks of. */
export const publishedTermsQuery = queryOptions({
  queryKey: ["terms", "to choose from"],
  queryFn: () => readAdmin<Paged<PublishedTerm>>("/terms?limit=200"),
  staleTime: 60_000,
});

export interface LogStanding {
  readonly origin: string;
  readonly vkey: string;
  readonly size: number;
  readonly root: string;
  readonly checkpoint: string;
  readonly last_entry_at?: string;
  readonly verified?: { readonly at: string; readonly entries: number; readonly faults: number };
  readonly earlier: readonly { readonly origin: string; readonly vkey: string }[];
}

export const logQuery = queryOptions({
  queryKey: ["log", "standing"],
  queryFn: () => readAdmin<LogStanding>("/log"),
});
