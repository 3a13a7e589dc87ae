import { HttpError, readProblem } from "@musette/client/http";
import { urlOf } from "../../api/client";
import { session } from "../../session/session";
import type { Draft } from "./draft";
import { readDraft } from "./draft-calls";

/** Limits of the server. */
export const DOCUMENT_BYTES_MAX = 20 * 1024 * 1024;

export interface UploadOptions {
  readonly signal: AbortSignal;
  /** From 0 to 1, of what has left; at 1 the server draws the pages. */
  readonly onProgress: (part: number) => void;
  /** Why it is taken though it cannot be drawn. */
  readonly reason?: string;
}

/**
 * With XMLHttpRequest, since `fetch` says nothing of how much has left: a request whose body is a
 * stream would, but needs HTTP/2. So the session does not send it, and is asked for its token.
 */
export async function uploadDocument(
  draft: Draft,
  locale: string,
  file: Blob,
  options: UploadOptions,
): Promise<Draft> {
  const send = () => put(draft, locale, file, options);
  // Renews a token that has ended, or would be refused only after all that was sent.
  await readDraft(draft.id);
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 401) throw error;
    await readDraft(draft.id);
    return send();
  }
}

function put(draft: Draft, locale: string, file: Blob, options: UploadOptions): Promise<Draft> {
  const { signal, onProgress, reason } = options;
  const request = new XMLHttpRequest();
  const url = urlOf("/api/admin/v1/term-drafts/{id}/documents/{locale}", {
    path: { id: draft.id, locale },
    query: { unreadable_ok: reason },
  });
  request.open("PUT", url);
  request.setRequestHeader("Authorization", `Bearer ${session.getToken()}`);
  request.setRequestHeader("Content-Type", "application/pdf");
  request.setRequestHeader("If-Match", `"${draft.revision}"`);
  const abort = () => request.abort();
  const answer = new Promise<Draft>((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0);
    request.onload = () => void answered(request).then(resolve, reject);
    request.onerror = () => reject(new TypeError("The connection was lost"));
    request.onabort = () => reject(signal.reason);
    signal.throwIfAborted();
    signal.addEventListener("abort", abort);
    request.send(file);
  });
  return answer.finally(() => signal.removeEventListener("abort", abort));
}

async function answered(request: XMLHttpRequest): Promise<Draft> {
  const { status, responseText } = request;
  if (status >= 200 && status < 300) return JSON.parse(responseText);
  const type = request.getResponseHeader("Content-Type") ?? "";
  const response = new Response(responseText, { status, headers: { "Content-Type": type } });
  throw new HttpError(response, await readProblem(response));
}
