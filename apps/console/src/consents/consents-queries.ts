import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";
import { pagesQuery } from "../api/pages";
import type { Wire } from "../api/wire";
import { type ConsentsSearch, consentsParameters } from "./consents-search";

export type Decision = Wire<"DecisionBody">;

export const consentPagesQuery = (search: ConsentsSearch) =>
  pagesQuery("/api/admin/v1/consents", { query: consentsParameters(search) });

/** The decisions of the submission with this receipt. */
export const receiptDecisionsQuery = (receipt: string) =>
  queryOptions({
    queryKey: ["consents", "receipt", receipt],
    queryFn: () => api.get("/api/admin/v1/consents", { query: { receipt, limit: 200 } }),
    retry: false,
  });

export type PublishedTerm = Wire<"PublishedTerm">;

/** The published terms, for the filter and for the names on receipts. */
export const publishedTermsQuery = queryOptions({
  queryKey: ["terms", "to choose from"],
  queryFn: () => api.get("/api/admin/v1/terms", { query: { limit: 200 } }),
  staleTime: 60_000,
});

export const logQuery = queryOptions({
  queryKey: ["log", "standing"],
  queryFn: () => api.get("/api/admin/v1/log"),
});
