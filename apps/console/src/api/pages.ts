import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { type Answer, api, type PathOf, type RequestParts } from "./client";

/** The paths of paged lists. */
type PagedPath = {
  [Path in PathOf<"get">]: Answer<"get", Path> extends { readonly items: readonly unknown[] }
    ? Path
    : never;
}[PathOf<"get">];

type Row<Path extends PagedPath> =
  Answer<"get", Path> extends {
    readonly items: readonly (infer Item)[];
  }
    ? Item
    : never;

export interface Paged<Item> {
  readonly items: readonly Item[];
  readonly next_cursor?: string;
}

const PAGE = 100;

/** Returns an infinite query for a paged list. The last result is shown while a new one loads. */
export function pagesQuery<Path extends PagedPath>(path: Path, request: RequestParts<"get", Path>) {
  // All these paths take the parameters, but a generic path cannot express that.
  const get = api.get as unknown as (path: string, asked: object) => Promise<Paged<Row<Path>>>;
  const { query } = request as { readonly query?: object };
  return infiniteQueryOptions({
    queryKey: [path, "pages", request],
    queryFn: ({ pageParam: cursor }) =>
      get(path, { ...request, query: { ...query, limit: PAGE, cursor } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
  });
}
