import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";
import type { Wire } from "../api/wire";
import { asComplete } from "./draft/draft";

export type Variant = Wire<"VariantBody">;

export type PublishedStatus = Wire<"TermStatus">;
export type PublishedTerm = Wire<"PublishedTerm">;

export interface TermsFilter {
  readonly type?: string | undefined;
  readonly status?: PublishedStatus | undefined;
  /** Includes terms that apply to the reader's markets but that they cannot change. */
  readonly around?: boolean;
}

const PAGE = 200;

export const termsQuery = ({ type, status, around = false }: TermsFilter) =>
  infiniteQueryOptions({
    queryKey: ["terms", "list", type ?? "", status ?? "", around],
    queryFn: ({ pageParam }) => {
      return api.get("/api/admin/v1/terms", {
        query: {
          limit: PAGE,
          ...(type && { type }),
          ...(status && { status }),
          ...(around && { around }),
          ...(pageParam && { cursor: pageParam }),
        },
      });
    },
    initialPageParam: "",
    getNextPageParam: (last) => last.next_cursor,
  });

export const termQuery = (id: string) =>
  queryOptions({
    queryKey: ["terms", "one", id],
    queryFn: () => api.get("/api/admin/v1/terms/{id}", { path: { id: Number(id) } }),
  });

export const draftsQuery = infiniteQueryOptions({
  queryKey: ["term-drafts"],
  queryFn: async ({ pageParam }) => {
    const page = await api.get("/api/admin/v1/term-drafts", {
      query: { limit: PAGE, ...(pageParam && { cursor: pageParam }) },
    });
    return { ...page, items: page.items.map(asComplete) };
  },
  initialPageParam: "",
  getNextPageParam: (last) => last.next_cursor,
});
