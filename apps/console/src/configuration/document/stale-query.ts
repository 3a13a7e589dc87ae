import { queryOptions } from "@tanstack/react-query";
import { readAdmin } from "../../api/admin";
import { environmentKey } from "./flags-document";

export type StaleReason = "one_value" | "unused" | "rollout_complete";

export interface StaleFlag {
  readonly flag: string;
  readonly owner?: string;
  readonly reasons: readonly StaleReason[];
  /** What everybody got. */
  readonly variation?: string;
  /** How often it was asked for in that time. */
  readonly asked: number;
}

export interface Stale {
  /** So many days were looked at. */
  readonly days: number;
  readonly items: readonly StaleFlag[];
}

export const staleQuery = (environment: string) =>
  queryOptions({
    queryKey: [...environmentKey(environment), "stale"],
    queryFn: () => readAdmin<Stale>(`/environments/${encodeURIComponent(environment)}/stale`),
    enabled: environment !== "",
    staleTime: 60_000,
  });
