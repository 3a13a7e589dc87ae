import { queryOptions } from "@tanstack/react-query";
import { readAdmin } from "../api/admin";
import { type Paged, pagesQuery } from "../api/pages";
import { type AuditSearch, auditParameters } from "./audit-search";

export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly event: string;
  /** A reference, which outlives the person's erasure. */
  readonly subject?: string;
  readonly user_id?: string;
  readonly sid?: string;
  readonly detail?: string;
  /** `command`: the command line; absent: the person themselves, or the program. */
  readonly actor?: string;
  readonly actor_user_id?: string;
  /** How often within the hour, of what anybody can make happen; absent: once. */
  readonly count?: number;
}

function fetchPage(search: AuditSearch, cursor: string | undefined, limit: number) {
  const asked = auditParameters(search);
  asked.set("limit", String(limit));
  if (cursor) asked.set("cursor", cursor);
  return readAdmin<Paged<AuditEntry>>(`/audit?${asked}`);
}

/** Whoever comes back to the audit wants to see what they have just done. */
const staleTime = 0;

export const auditQuery = (search: AuditSearch, cursor: string | undefined, limit: number) =>
  queryOptions({
    queryKey: ["audit", "page", search, cursor, limit],
    queryFn: () => fetchPage(search, cursor, limit),
    staleTime,
  });

export const auditPagesQuery = (search: AuditSearch) => ({
  ...pagesQuery<AuditEntry>("/audit", auditParameters(search)),
  staleTime,
});
