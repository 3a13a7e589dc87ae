import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { readAdmin } from "../api/admin";
import type { Draft } from "./draft/draft";

export interface Variant {
  readonly locale: string;
  readonly title: string;
  readonly sha256: string;
  /** What has changed, in this language; without it the sentence of the term stands for it. */
  readonly summary?: string;
}

export type PublishedStatus = "scheduled" | "active" | "superseded";

/** A published version: it never changes. */
export interface PublishedTerm {
  readonly id: number;
  readonly type: string;
  readonly status: PublishedStatus;
  readonly version: number;
  /** What the document calls this version; the counter stands for it where there is none. */
  readonly label: string | null;
  readonly mandatory: boolean;
  readonly display_order: number;
  readonly published_at: string;
  readonly effective_from: string;
  readonly grace_until?: string;
  readonly replaces?: number;
  readonly replaced_by?: number;
  readonly material: boolean;
  readonly summary?: string;
  /** The first is the default language. */
  readonly variants: readonly Variant[];
}

interface Paged<Item> {
  readonly items: readonly Item[];
  readonly next_cursor?: string;
}

export interface TermsFilter {
  readonly type?: string | undefined;
  readonly status?: PublishedStatus | undefined;
}

const PAGE = 200;

export const termsQuery = ({ type, status }: TermsFilter) =>
  infiniteQueryOptions({
    queryKey: ["terms", "list", type ?? "", status ?? ""],
    queryFn: ({ pageParam }) => {
      const asked = new URLSearchParams({ limit: String(PAGE) });
      if (type) asked.set("type", type);
      if (status) asked.set("status", status);
      if (pageParam) asked.set("cursor", pageParam);
      return readAdmin<Paged<PublishedTerm>>(`/terms?${asked}`);
    },
    initialPageParam: "",
    getNextPageParam: (last) => last.next_cursor,
  });

export const termQuery = (id: string) =>
  queryOptions({
    queryKey: ["terms", "one", id],
    queryFn: () => readAdmin<PublishedTerm>(`/terms/${encodeURIComponent(id)}`),
  });

export const draftsQuery = infiniteQueryOptions({
  queryKey: ["term-drafts"],
  queryFn: ({ pageParam }) => {
    const asked = new URLSearchParams({ limit: String(PAGE) });
    if (pageParam) asked.set("cursor", pageParam);
    return readAdmin<Paged<Draft>>(`/term-drafts?${asked}`);
  },
  initialPageParam: "",
  getNextPageParam: (last) => last.next_cursor,
});
