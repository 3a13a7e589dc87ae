import { HttpError, readProblem } from "@musette/client/http";
import { dayOf } from "../language/days";
import { session } from "../session/session";

export interface Progress {
  readonly bytes: number;
  readonly rows: number;
}

interface DownloadOptions {
  /** Sent by POST, as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

const LINE_FEED = 10;
/** The size at which chunks become a blob, which a browser may store on disk. */
const CHUNK_BYTES = 4_194_304;
const PROGRESS_INTERVAL_MS = 100;

/** Reads a response of any size and reports its progress. */
export async function fetchFile(
  url: string,
  { body, signal, onProgress }: DownloadOptions = {},
): Promise<Blob> {
  const headers = { "Accept-Language": document.documentElement.lang };
  const init = {
    ...(signal && { signal }),
    ...(body === undefined
      ? { headers }
      : {
          method: "POST",
          headers: { ...headers, "Content-Type": "application/json" },
          body: JSON.stringify(body),
        }),
  };
  const response = await session.fetch(url, init).catch(async (error: unknown) => {
    if (error instanceof HttpError) error.problem ??= await readProblem(error.response);
    throw error;
  });
  const type = response.headers.get("content-type") ?? "application/octet-stream";
  if (!response.body) return response.blob();
  const whole = await gather(response.body.getReader(), onProgress);
  return new Blob(whole, { type });
}

async function gather(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  onProgress: ((progress: Progress) => void) | undefined,
): Promise<BlobPart[]> {
  const blobs: BlobPart[] = [];
  let pieces: BlobPart[] = [];
  let [gathered, bytes, rows, reported] = [0, 0, 0, 0];
  for (;;) {
    const chunk = await reader.read();
    if (chunk.done) break;
    const { value } = chunk;
    pieces.push(value);
    gathered += value.byteLength;
    bytes += value.byteLength;
    for (const byte of value) if (byte === LINE_FEED) rows++;
    if (gathered >= CHUNK_BYTES) {
      blobs.push(new Blob(pieces));
      [pieces, gathered] = [[], 0];
    }
    if (performance.now() - reported > PROGRESS_INTERVAL_MS) {
      reported = performance.now();
      onProgress?.({ bytes, rows });
    }
  }
  onProgress?.({ bytes, rows });
  return [...blobs, ...pieces];
}

/**
 * Fetches a receipt in one of its formats. The id is in the body, because proxies write addresses
 * to their logs.
 */
export const fetchReceipt = (id: string, format: "pdf" | "json" | "tlog-proof"): Promise<Blob> =>
  fetchFile("/api/admin/v1/receipts", { body: { receipt: { id }, format } });

/** Saves a blob as a download. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Not immediately, because the download has not started yet.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Returns a file name with the date, such as `consents-2026-11-21`. */
export function fileNameWithDate(name: string, now = new Date()): string {
  return `${name}-${dayOf(now)}`;
}
