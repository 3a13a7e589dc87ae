import type { Progress } from "../api/download";
import { BYTE_ORDER_MARK, csvLine } from "./csv";
import type { ExportOptions } from "./use-saving";

export interface CsvPage {
  readonly lines: readonly (readonly string[])[];
  /** The cursor of the next page; absent on the last one. */
  readonly next?: string | undefined;
}

/** Fetches page after page, so that neither side holds an answer of unknown size. */
export async function csvOfPages(
  fetch: (after: string | undefined) => Promise<CsvPage>,
  header: readonly string[],
  { signal, onProgress }: ExportOptions,
): Promise<Blob> {
  const parts = [BYTE_ORDER_MARK + csvLine(header)];
  const progress: { -readonly [Name in keyof Progress]: number } = { rows: 0, bytes: 0 };
  let after: string | undefined;
  do {
    signal.throwIfAborted();
    const { lines, next }: CsvPage = await fetch(after);
    const part = lines.map(csvLine).join("");
    parts.push(part);
    progress.rows += lines.length;
    progress.bytes += new TextEncoder().encode(part).length;
    onProgress({ ...progress });
    after = next;
  } while (after !== undefined);
  signal.throwIfAborted();
  return new Blob(parts, { type: "text/csv;charset=utf-8" });
}
