import { type Fetch, HttpError } from "../http";
import type { Attempt, Authorizer } from "./authorizer";

/** Returns whether a body can be sent only once. A `Request` can be sent again, because each try sends a clone. */
export function isStream(body: unknown): boolean {
  // Safari's ReadableStream is not iterable; Node's streams have no reader.
  return (
    typeof body === "object" && !!body && ("getReader" in body || Symbol.asyncIterator in body)
  );
}

/** Returns a `fetch` that sends the session's token and throws an `HttpError` for every error status. */
export function sessionFetch(authorizer: Authorizer, send: Fetch, resolve: Resolve): Fetch {
  return async (input, init) => {
    const request = input instanceof Request ? input : undefined;
    const url = resolve(request?.url ?? String(input));
    const stream = isStream(init?.body);
    const signal = init?.signal ?? request?.signal;

    async function checkStatus(response: Response): Promise<Response> {
      if (response.ok) return response;
      throw new HttpError(response);
    }
    if (!url) return checkStatus(await send(input, init));

    async function attempt(pending: Attempt): Promise<Response> {
      const authorized = await authorizer.authorize(pending, stream, signal);
      const headers = new Headers(init?.headers ?? request?.headers);
      if (authorized.sentToken) headers.set("Authorization", `Bearer ${authorized.sentToken}`);
      const response = await send(request?.clone() ?? input, { ...init, headers });
      const { status } = response;
      if (status !== 401 && status !== 403) return checkStatus(response);
      const date = response.headers.get("date");
      const decision = await authorizer.handleRejection(authorized, {
        status,
        date,
        stream,
        signal,
      });
      if (decision.replay) return attempt({ ...authorized, retried: true });
      throw new HttpError(response, undefined, { cause: decision.cause });
    }
    const method = (init?.method ?? request?.method ?? "GET").toUpperCase();
    return attempt(authorizer.createAttempt({ method, url }));
  };
}

/** Returns the absolute address if the token may be sent there, otherwise undefined. */
export type Resolve = (url: string) => string | undefined;

export function createResolve(page: string, origins: readonly string[], refreshUrl: string) {
  const absolute = (url: string): URL | undefined => {
    try {
      return new URL(url, page || undefined);
    } catch {
      return undefined;
    }
  };
  const allowed = [page, ...origins].map((each) => absolute(each)?.origin);
  const refresh = absolute(refreshUrl)?.href;
  return (url: string) => {
    const target = absolute(url);
    // A refresh request must never wait for a refresh, even if the host sends it.
    return target && allowed.includes(target.origin) && target.href !== refresh
      ? target.href
      : undefined;
  };
}
