import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client";
import type { Wire } from "../../api/wire";
import { type ExcuseSearch, isPeriod, previewParameters } from "./excuse-search";

export type Excusal = Wire<"ExcusalBody">;
export type ExcusalDetail = Wire<"ExcusalDetail">;
export type Candidate = Wire<"ExcusalCandidateBody">;
export type NewExcusal = Wire<"NewExcusalBody">;

const EXCUSALS = "/api/admin/v1/excusals";
const ONE = `${EXCUSALS}/{id}` as const;
const PAGE = 20;
/** How often the list is fetched while an excusal is not applied yet. */
const REFRESH_MS = 15_000;

export const excusalsQuery = infiniteQueryOptions({
  queryKey: [EXCUSALS, "pages"],
  queryFn: async ({ pageParam: after }) => {
    const query = { limit: PAGE, ...(after !== undefined && { after }) };
    const { items, next } = await api.get(EXCUSALS, { query });
    return { items, ...(next && { next_cursor: next }) };
  },
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last) => last.next_cursor,
  refetchInterval: ({ state }) =>
    state.data?.pages.some(({ items }) => items.some(isWaiting)) ? REFRESH_MS : false,
});

export const excusalQuery = (id: string) =>
  queryOptions({
    queryKey: [EXCUSALS, "one", id],
    queryFn: (): Promise<ExcusalDetail> => api.get(ONE, { path: { id } }),
  });

export const previewQuery = (search: ExcuseSearch) =>
  queryOptions({
    queryKey: [EXCUSALS, "preview", search],
    queryFn: () => api.get(`${EXCUSALS}/preview`, { query: previewParameters(search) }),
    enabled: isPeriod(search),
  });

/** Whether the riders have not been told yet. */
export const isWaiting = ({ status }: Excusal): boolean =>
  status === "scheduled" || status === "applying";

export const refreshExcusals = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: [EXCUSALS] });

export const scheduleExcusal = (id: string, body: NewExcusal): Promise<Excusal> =>
  api.put(ONE, { path: { id }, body });

export const cancelExcusal = (id: string): Promise<Excusal> => api.delete(ONE, { path: { id } });
