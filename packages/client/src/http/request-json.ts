import { HttpError, readProblem } from "./http-error";

/** A function that is called as the global `fetch`. */
export type Fetch = typeof globalThis.fetch;

/** The time limit of a request in milliseconds: long enough for a slow phone network. */
export const REQUEST_DEADLINE_MS = 30_000;

/**
 * Fetches JSON.
 *
 * @throws HttpError for every status but success, with the problem of the body if it has one.
 * @throws what `fetch` throws when there is no answer, and an `AbortError` after `REQUEST_DEADLINE_MS`.
 */
export async function requestJson<T>(fetch: Fetch, url: string, init?: RequestInit): Promise<T> {
  // Not AbortSignal.timeout: the oldest phones that we serve do not have it.
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), REQUEST_DEADLINE_MS);
  try {
    const response = await fetch(url, { signal: deadline.signal, ...init });
    if (!response.ok) throw new HttpError(response);
    return (await response.json()) as T;
  } catch (error) {
    // In the catch: a session's fetch rejects by itself and does not read the body.
    if (error instanceof HttpError) error.problem ??= await readProblem(error.response);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
