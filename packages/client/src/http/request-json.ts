import { HttpError, readProblem } from "./http-error";

/** A function with the signature of the global `fetch`. */
export type Fetch = typeof globalThis.fetch;

/** The time limit of a request in milliseconds: long enough for a slow phone network. */
export const REQUEST_DEADLINE_MS = 30_000;

/**
 * Sends a request and returns the JSON of the response.
 *
 * @throws HttpError for every error status, with the problem of the body if it has one.
 * @throws the error of `fetch` if there is no response, and an `AbortError` after `REQUEST_DEADLINE_MS`.
 *
 * @example
 * const { terms } = await requestJson<{ terms: Schema<"TermBody">[] }>(session.fetch, "/api/terms");
 */
export async function requestJson<T>(fetch: Fetch, url: string, init?: RequestInit): Promise<T> {
  // The oldest supported phones do not have AbortSignal.timeout.
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), REQUEST_DEADLINE_MS);
  try {
    const response = await fetch(url, { signal: deadline.signal, ...init });
    if (!response.ok) throw new HttpError(response);
    return (await response.json()) as T;
  } catch (error) {
    // Reads the problem here, because a session's fetch throws its own HttpError without reading the body.
    if (error instanceof HttpError) error.problem ??= await readProblem(error.response);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
