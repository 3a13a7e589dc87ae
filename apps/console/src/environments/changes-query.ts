import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { readAdmin } from "../api/admin";
import type { Paged } from "../api/pages";
import type { Json } from "../configuration/document/document";
import { environmentKey, type SavedVersion } from "../configuration/document/flags-document";

const at = (environment: string) => `/environments/${encodeURIComponent(environment)}`;

export interface PlannedChange {
  readonly id: string;
  /** When it becomes current. */
  readonly at: string;
  readonly base: number;
  readonly author?: string;
  readonly comment?: string;
  readonly created_at: string;
  readonly status: "waiting" | "done" | "cancelled" | "refused";
  readonly settled_at?: string;
  readonly version?: number;
  /** Why it did not become current. */
  readonly refusal?: string;
  readonly objects?: readonly PlannedObject[];
}

export interface PlannedObject {
  readonly section:
    | "attributes"
    | "segments"
    | "layers"
    | "holdouts"
    | "metrics"
    | "flags"
    | "settings";
  readonly key: string;
  readonly how: "added" | "removed" | "changed";
  readonly pointer: string;
  readonly changes: readonly {
    readonly pointer: string;
    readonly before?: Json;
    readonly after?: Json;
  }[];
}

function pages<T>(environment: string, name: "changes" | "versions") {
  return infiniteQueryOptions({
    queryKey: [...environmentKey(environment), name],
    queryFn: ({ pageParam }) => {
      const asked = new URLSearchParams({ limit: "50", ...(pageParam && { cursor: pageParam }) });
      return readAdmin<Paged<T>>(`${at(environment)}/${name}?${asked}`);
    },
    initialPageParam: "",
    getNextPageParam: (last) => last.next_cursor,
    enabled: environment !== "",
  });
}

export const changesQuery = (environment: string) => pages<PlannedChange>(environment, "changes");

export const versionsQuery = (environment: string) => pages<SavedVersion>(environment, "versions");

export const changeQuery = (environment: string, id: string) =>
  queryOptions({
    queryKey: [...environmentKey(environment), "changes", id],
    queryFn: () => readAdmin<PlannedChange>(`${at(environment)}/changes/${id}`),
  });
