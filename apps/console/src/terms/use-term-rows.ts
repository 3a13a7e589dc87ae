import { useInfiniteQuery } from "@tanstack/react-query";
import { isInside } from "../api/grants";
import { useMay } from "../api/use-may";
import { useLanguage } from "../language/language-context";
import { rowOfDraft, rowOfTerm, type TermRow } from "./term-rows";
import { draftsQuery, termsQuery } from "./terms-query";
import type { TermsSearch } from "./terms-search";

const itemsOf = <Item>(data: { pages: readonly { items: readonly Item[] }[] } | undefined) =>
  data?.pages.flatMap(({ items }) => items) ?? [];

/** Returns the published versions and drafts that match the filters in the address. */
export function useTermRows({ status, type, market }: TermsSearch) {
  const { tag } = useLanguage().language;
  const published = useInfiniteQuery({
    ...termsQuery({ type, status: status === "draft" ? undefined : status }),
    enabled: status !== "draft",
  });
  const readsDrafts = useMay()("company data");
  const drafts = useInfiniteQuery({ ...draftsQuery, enabled: readsDrafts });
  // For the choice of types, which does not depend on the filters.
  const everything = useInfiniteQuery(termsQuery({}));

  const withTerms = status !== "draft";
  const withDrafts = readsDrafts && (status === undefined || status === "draft");
  const queries = [...(withTerms ? [published] : []), ...(withDrafts ? [drafts] : [])];
  const termRows = withTerms ? itemsOf(published.data).map((term) => rowOfTerm(term, tag)) : [];
  const draftRows = withDrafts ? itemsOf(drafts.data).map((draft) => rowOfDraft(draft, tag)) : [];
  const all = [...itemsOf(everything.data), ...itemsOf(drafts.data)];
  const further = queries.filter(({ hasNextPage }) => hasNextPage);
  return {
    rows: ([...draftRows.filter((row) => !type || row.type === type), ...termRows] as TermRow[])
      // The server returns all markets. A company has few terms, so they are filtered here.
      .filter((row) => !market || (row.market !== undefined && isInside(row.market, market))),
    types: [...new Set(all.map((term) => term.type))].filter(Boolean).sort(),
    isPending: queries.some(({ isPending }) => isPending),
    isSuccess: queries.every(({ isSuccess }) => isSuccess),
    error: queries.find(({ error }) => error)?.error,
    retry: () => Promise.all(queries.map(({ refetch }) => refetch())),
    isMore: further.length > 0,
    isMoreLoading: further.some(({ isFetchingNextPage }) => isFetchingNextPage),
    onMore: () => Promise.all(further.map(({ fetchNextPage }) => fetchNextPage())),
  };
}
