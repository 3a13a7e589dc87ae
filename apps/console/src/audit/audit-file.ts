import { readAdmin } from "../api/admin";
import type { Paged } from "../api/pages";
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
] as const satisfies readonly (keyof AuditEntry)[];

/** What begins like a formula a spreadsheet would compute, and a quote stands for itself twice. */
function field(value: string | undefined): string {
  const text = /^[=+\-@\t\r]/.test(value ?? "") ? `'${value}` : (value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const line = (entry: AuditEntry) => COLUMNS.map((name) => field(entry[name])).join(",");

/** RFC 4180; the names of the columns stand above the first page. */
export function auditText(
  entries: readonly AuditEntry[],
  format: AuditFormat,
  isFirst: boolean,
): string {
  if (format === "jsonl") return entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
  const lines = [...(isFirst ? [COLUMNS.join(",")] : []), ...entries.map(line)];
  return lines.map((line) => `${line}\r\n`).join("");
}

interface Gathering {
  readonly signal: AbortSignal;
  readonly onRows: (rows: number) => void;
}

const PAGE = "200";

export async function gatherAudit(
  search: AuditSearch,
  format: AuditFormat,
  { signal, onRows }: Gathering,
): Promise<Blob> {
  const pieces: string[] = [];
  let cursor: string | undefined;
  let rows = 0;
  do {
    const asked = auditParameters(search);
    asked.set("limit", PAGE);
    if (cursor) asked.set("cursor", cursor);
    const page = await readAdmin<Paged<AuditEntry>>(`/audit?${asked}`);
    signal.throwIfAborted();
    pieces.push(auditText(page.items, format, pieces.length === 0));
    rows += page.items.length;
    onRows(rows);
    cursor = page.next_cursor;
  } while (cursor);
  return new Blob(pieces, { type: format === "csv" ? "text/csv" : "application/x-ndjson" });
}
