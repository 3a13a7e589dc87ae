import { HttpError } from "@musette/client/http";
import { queryOptions } from "@tanstack/react-query";
import { readAdmin } from "../api/admin";

/** Whether the server can take traffic; no, when it does not answer at all. */
export const readyQuery = queryOptions({
  queryKey: ["ready"],
  queryFn: async () => {
    const response = await fetch("/readyz");
    return response.ok;
  },
  refetchInterval: 30_000,
});

export interface LogHead {
  readonly size: number;
  readonly root: string;
}

/** A C2SP checkpoint: its origin, the number of entries and the root hash, a line each. */
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

export interface MandatoryTerm {
  readonly id: number;
  readonly title: string;
  /** In every language that it has, the default first. */
  readonly titles: readonly { readonly locale: string; readonly title: string }[];
  readonly type: string;
  /** Absent while they are counted for the first time. */
  readonly riders_outstanding?: number;
}

export interface Overview {
  readonly version: string;
  readonly engine: "sqlite" | "postgres";
  /** How one-time codes leave. */
  readonly code_delivery: "log" | "smtp" | "webhook";
  readonly riders: number;
  /** The mandatory terms in effect, in the order in which riders see them. */
  readonly mandatory: readonly MandatoryTerm[];
}

export const overviewQuery = queryOptions({
  queryKey: ["overview"],
  queryFn: () => readAdmin<Overview>("/overview"),
  refetchInterval: ({ state: { data } }) => {
    const isCounting = data?.mandatory.some((term) => term.riders_outstanding === undefined);
    return isCounting ? 2_000 : 60_000;
  },
});
