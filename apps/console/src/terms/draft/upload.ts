import { HttpError, readProblem } from "@musette/client/http";
import { urlOf } from "../../api/client";
import { session } from "../../session/session";
import type { Draft } from "./draft";
import { readDraft } from "./draft-calls";

/** A limit of the server. */
export const DOCUMENT_BYTES_MAX = 20 * 1024 * 1024;

export interface UploadOptions {
  readonly signal: AbortSignal;
  /** From 0 to 1, the part that was sent. At 1, the server renders the pages. */
  readonly onProgress: (part: number) => void;
  /** Called with the number of rendered pages. */
  readonly onDrawn: (drawn: Drawn) => void;
  /** Why the file is accepted although it cannot be rendered. */
  readonly reason?: string;
}

export interface Drawn {
  readonly page: number;
  readonly pages: number;
}

/** A line of the answer. */
interface AnswerLine extends Partial<Drawn> {
  readonly status?: number;
  readonly body?: unknown;
}

/**
 * Uploads a document. It uses XMLHttpRequest, because `fetch` does not report upload progress: a
 * request with a stream as body could, but needs HTTP/2. The session's `fetch` is therefore
 * bypassed, and only provides the token.
 */
export async function uploadDocument(
  draft: Draft,
  locale: string,
  file: Blob,
  options: UploadOptions,
): Promise<Draft> {
  const send = () => sendUpload(draft, locale, file, options);
  // Renews an expired token. Otherwise the server would refuse the request only after the whole
  // upload.
  await readDraft(draft.id);
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 401) throw error;
    await readDraft(draft.id);
    return send();
  }
}

function sendUpload(
  draft: Draft,
  locale: string,
  file: Blob,
  options: UploadOptions,
): Promise<Draft> {
  const { signal, onProgress, onDrawn, reason } = options;
  const request = new XMLHttpRequest();
  const url = urlOf("/api/admin/v1/term-drafts/{id}/documents/{locale}", {
    path: { id: draft.id, locale },
    query: { unreadable_ok: reason },
  });
  request.open("PUT", url);
  request.setRequestHeader("Authorization", `Bearer ${session.getToken()}`);
  request.setRequestHeader("Content-Type", "application/pdf");
  request.setRequestHeader("Accept", `${LINES}, application/json`);
  request.setRequestHeader("If-Match", `"${draft.revision}"`);
  const abort = () => request.abort();
  const answer = new Promise<Draft>((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0);
    request.onprogress = () => {
      const { page = 0, pages } = (isInLines(request) && linesOf(request).at(-1)) || {};
      if (pages) onDrawn({ page, pages });
    };
    request.onload = () => void parseAnswer(request).then(resolve, reject);
    request.onerror = () => reject(new TypeError("The connection was lost"));
    request.onabort = () => reject(signal.reason);
    signal.throwIfAborted();
    signal.addEventListener("abort", abort);
    request.send(file);
  });
  return answer.finally(() => signal.removeEventListener("abort", abort));
}

const LINES = "application/x-ndjson";
const typeOf = (request: XMLHttpRequest) => request.getResponseHeader("Content-Type") ?? "";
const isInLines = (request: XMLHttpRequest) => typeOf(request).startsWith(LINES);

/** Returns the complete lines. */
function linesOf({ responseText }: XMLHttpRequest): readonly AnswerLine[] {
  const lines = responseText.slice(0, responseText.lastIndexOf("\n") + 1).split("\n");
  return lines.filter(Boolean).map((line) => JSON.parse(line));
}

async function parseAnswer(request: XMLHttpRequest): Promise<Draft> {
  let { status, responseText: text } = request;
  let type = typeOf(request);
  if (isInLines(request)) {
    const last = linesOf(request).at(-1);
    // The connection was lost, although the request ended without an error.
    if (!last?.status) throw new TypeError("The connection was lost before the end of the answer");
    status = last.status;
    text = JSON.stringify(last.body);
    type = "application/problem+json";
  }
  if (status >= 200 && status < 300) return JSON.parse(text);
  const response = new Response(text, { status, headers: { "Content-Type": type } });
  throw new HttpError(response, await readProblem(response));
}
