import { Button } from "@musette/react/ui";
import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Paged } from "../api/pages";
import { Skeleton } from "../ui/skeleton";
import { LoadFailed } from "../ui/states";
import { useEnvironmentsTexts } from "./texts/texts";

interface PagedListProps<Item> {
  readonly pages: UseInfiniteQueryResult<{ readonly pages: readonly Paged<Item>[] }>;
  readonly none: string;
  readonly noneHint: string;
  readonly children: (items: readonly Item[]) => ReactNode;
}

/** A paged list of an environment's past or planned changes, newest first. */
export function PagedList<Item>({ pages, none, noneHint, children }: PagedListProps<Item>) {
  const texts = useEnvironmentsTexts();
  const items = pages.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      {pages.isPending && <Skeleton rows={8} />}
      {pages.isError && <LoadFailed error={pages.error} onRetry={pages.refetch} />}
      {pages.isSuccess && items.length === 0 && (
        <div className="card calm">
          <p>{none}</p>
          <p className="note">{noneHint}</p>
        </div>
      )}
      {items.length > 0 && children(items)}
      {pages.hasNextPage && (
        <Button
          kind="secondary"
          loading={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          {texts.older}
        </Button>
      )}
    </>
  );
}
