import { HttpError } from "@musette/client/http";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";
import type { Wire } from "../api/wire";

/** Whether the server is ready for traffic; false if it does not answer. */
export const readyQuery = queryOptions({
  queryKey: ["ready"],
  queryFn: async () => {
    const response = await fetch("/readyz");
    // A body that is not read keeps its request open.
    await response.text();
    return response.ok;
  },
  refetchInterval: 30_000,
});

export interface LogHead {
  readonly size: number;
  readonly root: string;
}

/** Parses a C2SP checkpoint: its origin, the number of entries and the root hash, one per line. */
export function readCheckpoint(text: string): LogHead {
  const [, size, root] = text.split("\n");
  return { size: Number(size), root: root ?? "" };
}

export const checkpointQuery = queryOptions({
  queryKey: ["log", "checkpoint"],
  queryFn: async (): Promise<LogHead | null> => {
    const response = await fetch("/log/checkpoint");
    if (response.status === 404) return null;
    if (!response.ok) throw new HttpError(response);
    const head = readCheckpoint(await response.text());
    return head.size > 0 ? head : null;
  },
});

/** The number of decisions, of submissions, and of all entries of the log. */
export const logQuery = queryOptions({
  queryKey: ["log", "standing"],
  queryFn: () => api.get("/api/admin/v1/log"),
  refetchInterval: ({ state: { data } }) => (data?.decisions === undefined ? 2_000 : 60_000),
});

export type MandatoryTerm = Wire<"MandatoryTerm">;

export const overviewQuery = queryOptions({
  queryKey: ["overview"],
  queryFn: () => api.get("/api/admin/v1/overview"),
  refetchInterval: ({ state: { data } }) => {
    const isCounting = data?.mandatory.some((term) => term.riders_outstanding === undefined);
    return isCounting ? 2_000 : 60_000;
  },
});
