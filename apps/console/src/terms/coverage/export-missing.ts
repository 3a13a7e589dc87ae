import { BYTE_ORDER_MARK, csvLine } from "../../export/csv";
import { EXPORT_PAGE, fetchMissing, type MissingFilter, type MissingPage } from "./coverage-query";

export interface ExportOptions {
  readonly signal: AbortSignal;
  /** Called with the number of riders written so far. */
  readonly onProgress: (written: number) => void;
}

type Fetch = (cursor: string) => Promise<MissingPage>;

/** Fetches page after page, so that neither side holds an answer of unknown size. */
export async function missingAsCsv(
  fetch: Fetch,
  header: readonly string[],
  { signal, onProgress }: ExportOptions,
): Promise<Blob> {
  const parts = [BYTE_ORDER_MARK + csvLine(header)];
  let cursor: string | undefined = "";
  let written = 0;
  while (cursor !== undefined) {
    signal.throwIfAborted();
    const page: MissingPage = await fetch(cursor);
    parts.push(page.items.map(({ user_id, name = "" }) => csvLine([user_id, name])).join(""));
    written += page.items.length;
    onProgress(written);
    cursor = page.next_cursor;
  }
  signal.throwIfAborted();
  return new Blob(parts, { type: "text/csv;charset=utf-8" });
}

export const missingOf =
  (filter: MissingFilter): Fetch =>
  (cursor) =>
    fetchMissing(filter, cursor, EXPORT_PAGE);
