import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client";
import type { Wire } from "../../api/wire";

export type NoticeReach = Wire<"NoticeReach">;
export type UnreachedRider = Wire<"UnreachedRider">;

const NOTICE = "/api/admin/v1/notices/{id}";
const PAGE = 100;
export const EXPORT_PAGE = 200;
const REFETCH_MS = 30_000;

/** Counts the riders that a notice has reached. */
export const reachQuery = (id: number) =>
  queryOptions({
    queryKey: ["notices", "reach", id],
    queryFn: () => api.get(NOTICE, { path: { id } }),
    refetchInterval: REFETCH_MS,
  });

export const fetchUnreached = (id: number, after: string | undefined, limit: number) =>
  api.get(`${NOTICE}/unreached`, {
    path: { id },
    query: { limit, ...(after !== undefined && { after }) },
  });

/** Lists the riders that a notice has not reached. */
export const unreachedQuery = (id: number) =>
  infiniteQueryOptions({
    queryKey: ["notices", "unreached", id],
    queryFn: async ({ pageParam: after }) => {
      const { items, next } = await fetchUnreached(id, after, PAGE);
      return { items, ...(next !== null && { next_cursor: next }) };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
  });
