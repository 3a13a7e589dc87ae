import { HttpError, readProblem } from "./http-error";

export type Fetch = typeof globalThis.fetch;

/** Long enough for a slow phone network, short enough that nobody looks at a spinner for ever. */
export const REQUEST_DEADLINE_MS = 30_000;

/** Fetches and parses JSON; rejects with an `HttpError` on every status that is no success. */
export async function requestJson<T>(fetch: Fetch, url: string, init?: RequestInit): Promise<T> {
  // Not AbortSignal.timeout: the oldest phones that we serve do not have it.
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), REQUEST_DEADLINE_MS);
  try {
    const response = await fetch(url, { signal: deadline.signal, ...init });
    if (!response.ok) throw new HttpError(response);
    return (await response.json()) as T;
  } catch (error) {
    // Here and not above: a session's fetch rejects by itself, and does not read the body.
    if (error instanceof HttpError) error.problem ??= await readProblem(error.response);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
