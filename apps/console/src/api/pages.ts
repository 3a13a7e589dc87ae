import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { type Answer, type Asked, api, type PathOf } from "./client";

/** Lists that come page by page. */
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

/** A list of the server, page by page. What was found last stays while the next is looked for. */
export function pagesQuery<Path extends PagedPath>(path: Path, asked: Asked<"get", Path>) {
  // Every path of this kind takes them; that cannot be said of a path which is only chosen later.
  const get = api.get as unknown as (path: string, asked: object) => Promise<Paged<Row<Path>>>;
  const { query } = asked as { readonly query?: object };
  return infiniteQueryOptions({
    queryKey: [path, "pages", asked],
    queryFn: ({ pageParam: cursor }) =>
      get(path, { ...asked, query: { ...query, limit: PAGE, cursor } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
  });
}
