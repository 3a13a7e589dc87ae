import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import type { Paged } from "../api/pages";
import { useLanguage } from "../language/language-context";
import { LoadFailed } from "../ui/states";
import { ListTools } from "./list-tools";
import { type Column, LongTable } from "./long-table";

interface PagedTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly pages: UseInfiniteQueryResult<InfiniteData<Paged<Row>>>;
  readonly rowKey: (row: Row) => string;
  /** Shown if there are no rows. */
  readonly empty: ReactNode;
  readonly shown: (rows: string) => string;
  /** Whether the list is what its page is for: its count is in the header of the page. */
  readonly isPage?: boolean;
}

/** A paged list with its loading, error and empty states. */
export function PagedTable<Row>({ pages, empty, shown, isPage, ...table }: PagedTableProps<Row>) {
  const { language } = useLanguage();
  const { fetchNextPage, hasNextPage, isFetchingNextPage, isError, isPending } = pages;
  const rows = pages.data?.pages.flatMap(({ items }) => items) ?? [];
  // A page may be empty and not the last, if the filter matches none of its rows.
  const isLooking = hasNextPage && rows.length === 0 && !isError;
  useEffect(() => {
    if (isLooking && !isFetchingNextPage) void fetchNextPage();
  }, [isLooking, isFetchingNextPage, fetchNextPage]);

  const isComing = isPending || isLooking;
  const written = rows.length.toLocaleString(language.tag);
  // The number of all rows is unknown until the last page.
  const count = pages.isSuccess && !isComing && shown(hasNextPage ? `${written}+` : written);
  return (
    <>
      {isError && <LoadFailed error={pages.error} onRetry={pages.refetch} />}
      {isPage ? (
        <ListTools count={count} />
      ) : (
        <p role="status" className="mu-hidden">
          {count}
        </p>
      )}
      {pages.isSuccess && !isComing && rows.length === 0 && (
        <div className="card calm">{empty}</div>
      )}
      {(isComing || rows.length > 0) && (
        <LongTable
          {...table}
          rows={rows}
          isMore={hasNextPage && !isError}
          isLoading={isComing || isFetchingNextPage}
          onMore={() => void fetchNextPage()}
        />
      )}
    </>
  );
}
