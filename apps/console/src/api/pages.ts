import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { readAdmin } from "./admin";

export interface Paged<Row> {
  readonly items: readonly Row[];
  readonly next_cursor?: string;
}

const PAGE = 100;

/** A list of the server, page by page. What was found last stays while the next is looked for. */
export const pagesQuery = <Row>(path: string, asked: URLSearchParams) =>
  infiniteQueryOptions({
    queryKey: [path, "pages", asked.toString()],
    queryFn: ({ pageParam }) => {
      const page = new URLSearchParams(asked);
      page.set("limit", String(PAGE));
      if (pageParam) page.set("cursor", pageParam);
      return readAdmin<Paged<Row>>(`${path}?${page}`);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
  });
