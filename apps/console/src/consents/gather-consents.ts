import { urlOf } from "../api/client";
import { fetchFile } from "../api/download";
import type { ExportFormat } from "../export/export-bar";
import type { Asked } from "../export/use-saving";
import { type ConsentsSearch, consentsParameters } from "./consents-search";

/** Everything that fits the filters, as a file that is written while it is read. */
export function gatherConsents(
  search: ConsentsSearch,
  format: ExportFormat,
  { signal, onProgress }: Asked,
): Promise<Blob> {
  const query = { ...consentsParameters(search), format };
  // A table begins with the names of its columns.
  const names = format === "csv" ? 1 : 0;
  return fetchFile(urlOf("/api/admin/v1/consents/export", { query }), {
    signal,
    onProgress: ({ bytes, rows }) => onProgress({ bytes, rows: Math.max(0, rows - names) }),
  });
}
