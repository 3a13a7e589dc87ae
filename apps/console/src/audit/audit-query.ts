import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";
import { pagesQuery } from "../api/pages";
import type { Wire } from "../api/wire";
import { type AuditSearch, auditParameters } from "./audit-search";

export type AuditEntry = Wire<"AuditEntryBody">;

/** A person who returns to the audit log expects to see their latest actions. */
const staleTime = 0;

export const auditQuery = (search: AuditSearch, cursor: string | undefined, limit: number) =>
  queryOptions({
    queryKey: ["audit", "page", search, cursor, limit],
    queryFn: () =>
      api.get("/api/admin/v1/audit", {
        query: { ...auditParameters(search), limit, ...(cursor && { cursor }) },
      }),
    staleTime,
  });

export const auditPagesQuery = (search: AuditSearch) => ({
  ...pagesQuery("/api/admin/v1/audit", { query: auditParameters(search) }),
  staleTime,
});
