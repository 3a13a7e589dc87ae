import { type Fetch, HttpError } from "../http";
import type { Attempt, Authorizer } from "./authorizer";

/** A body that is gone once it has been sent. A `Request` is not: each try sends a clone. */
export function isStream(body: unknown): boolean {
  // Safari's ReadableStream is not iterable; Node's streams have no reader.
  return (
    typeof body === "object" && !!body && ("getReader" in body || Symbol.asyncIterator in body)
  );
}

/** `fetch` with the session's token, that rejects with an `HttpError` on every status but success. */
export function sessionFetch(authorizer: Authorizer, send: Fetch, resolve: Resolve): Fetch {
  return async (input, init) => {
    const asked = input instanceof Request ? input : undefined;
    const url = resolve(asked?.url ?? String(input));
    const stream = isStream(init?.body);
    const signal = init?.signal ?? asked?.signal;

    async function answered(response: Response): Promise<Response> {
      if (response.ok) return response;
      throw new HttpError(response);
    }
    if (!url) return answered(await send(input, init));

    async function attempt(entering: Attempt): Promise<Response> {
      const attempted = await authorizer.enter(entering, stream, signal);
      const headers = new Headers(init?.headers ?? asked?.headers);
      if (attempted.sent) headers.set("Authorization", `Bearer ${attempted.sent}`);
      const response = await send(asked?.clone() ?? input, { ...init, headers });
      const { status } = response;
      if (status !== 401 && status !== 403) return answered(response);
      const date = response.headers.get("date");
      const decision = await authorizer.refused(attempted, { status, date, stream, signal });
      if (decision.replay) return attempt({ ...attempted, retried: true });
      throw new HttpError(response, undefined, { cause: decision.cause });
    }
    const method = (init?.method ?? asked?.method ?? "GET").toUpperCase();
    return attempt(authorizer.admit({ method, url }));
  };
}

/** The absolute address, if the token may go there. */
export type Resolve = (url: string) => string | undefined;

export function createResolve(page: string, origins: readonly string[], refreshUrl: string) {
  const absolute = (url: string): URL | undefined => {
    try {
      return new URL(url, page || undefined);
    } catch {
      return undefined;
    }
  };
  const own = [page, ...origins].map((each) => absolute(each)?.origin);
  const refresh = absolute(refreshUrl)?.href;
  return (url: string) => {
    const target = absolute(url);
    // The refresh itself never waits for a refresh, whoever sends it.
    return target && own.includes(target.origin) && target.href !== refresh
      ? target.href
      : undefined;
  };
}
