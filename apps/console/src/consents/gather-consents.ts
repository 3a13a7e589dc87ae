import { urlOf } from "../api/client";
import { fetchFile } from "../api/download";
import type { ExportFormat } from "../export/export-bar";
import type { ExportOptions } from "../export/use-saving";
import { type ConsentsSearch, consentsParameters } from "./consents-search";

/** Writes all decisions that match the filters to a file while they are being read. */
export function exportConsents(
  search: ConsentsSearch,
  format: ExportFormat,
  { signal, onProgress }: ExportOptions,
): Promise<Blob> {
  const query = { ...consentsParameters(search), format };
  // A CSV file begins with a line of column names.
  const names = format === "csv" ? 1 : 0;
  return fetchFile(urlOf("/api/admin/v1/consents/export", { query }), {
    signal,
    onProgress: ({ bytes, rows }) => onProgress({ bytes, rows: Math.max(0, rows - names) }),
  });
}
