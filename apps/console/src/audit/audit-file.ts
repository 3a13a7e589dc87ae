import { api } from "../api/client";
import type { Wire } from "../api/wire";
import { csvLine } from "../export/csv";
import type { ExportOptions } from "../export/use-saving";
import type { AuditEntry } from "./audit-query";
import { type AuditSearch, auditParameters } from "./audit-search";

export const AUDIT_FORMATS = ["csv", "jsonl"] as const;
export type AuditFormat = (typeof AUDIT_FORMATS)[number];

const COLUMNS = [
  "id",
  "at",
  "event",
  "subject",
  "user_id",
  "sid",
  "detail",
  "actor",
  "actor_user_id",
  "count",
  "name",
  "by",
  "actor_name",
] as const satisfies readonly (keyof AuditEntry)[];

const line = (entry: AuditEntry) => csvLine(COLUMNS.map((name) => String(entry[name] ?? "")));

/** Returns the entries as text. The column names are written before the first page. */
export function auditText(
  entries: readonly AuditEntry[],
  format: AuditFormat,
  isFirst: boolean,
): string {
  if (format === "jsonl") return entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
  return [...(isFirst ? [csvLine(COLUMNS)] : []), ...entries.map(line)].join("");
}

const PAGE = 200;

export async function exportAudit(
  search: AuditSearch,
  format: AuditFormat,
  { signal, onProgress }: ExportOptions,
): Promise<Blob> {
  const pieces: Blob[] = [];
  let cursor: string | undefined;
  let [rows, bytes] = [0, 0];
  do {
    const page: Wire<"Paged_AuditEntryBody"> = await api.get("/api/admin/v1/audit", {
      query: { ...auditParameters(search), limit: PAGE, ...(cursor && { cursor }) },
    });
    signal.throwIfAborted();
    const piece = new Blob([auditText(page.items, format, pieces.length === 0)]);
    pieces.push(piece);
    rows += page.items.length;
    bytes += piece.size;
    onProgress({ rows, bytes });
    cursor = page.next_cursor;
  } while (cursor);
  return new Blob(pieces, { type: format === "csv" ? "text/csv" : "application/x-ndjson" });
}
