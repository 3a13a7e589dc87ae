import type { AuditTexts } from "./texts";

export const en: AuditTexts = {
  search: "Search",
  searchHint: "Event, detail or user id",
  exportAs: "Export these as",
  formats: { csv: "CSV, for a spreadsheet", jsonl: "JSON lines, for a program" },
  export: "Export",
  exporting: (rows) => `${rows} entries so far`,
  exported: (rows) => `Exported: ${rows} entries`,
  cancelled: "Cancelled. Nothing was saved.",
};
