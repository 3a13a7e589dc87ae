import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client";
import type { Wire } from "../../api/wire";
import type { FlagsDocument } from "../document/document";

/** An object, or a part of one, that two people have changed from the same base. */
export type Conflict = Wire<"MergeConflict">;

export type Side = "theirs" | "mine";

export const conflictId = ({ section, key, part }: Pick<Conflict, "section" | "key" | "part">) =>
  [section, key, part].join("/");

interface Merge {
  /** Identifies the two configurations, which are too large for a query key. */
  readonly id: string;
  readonly base: FlagsDocument;
  readonly document: FlagsDocument;
  /** The version into which the change is merged. The server answers 412 if it is not current. */
  readonly etag: string;
  /** The conflicts of which the change's side is taken. */
  readonly mine: readonly string[];
}

/**
 * The server's merge of a change. The key is not below the environment's key: a saved version does
 * not make the merge stale that was saved.
 */
export const mergeQuery = (environment: string, { id, base, document, etag, mine }: Merge) =>
  queryOptions({
    queryKey: ["merge", environment, id, etag, mine],
    queryFn: () =>
      api.post("/api/admin/v1/environments/{environment}/merge", {
        path: { environment },
        ifMatch: etag,
        body: { base, document, mine },
      }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
