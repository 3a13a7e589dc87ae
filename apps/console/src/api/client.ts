import { HttpError, REQUEST_DEADLINE_MS, readProblem } from "@musette/client/http";
import { session } from "../session/session";
import { withReauthentication } from "./reauthentication";
import type { Deep, Paths } from "./wire";

type Method = "get" | "put" | "post" | "delete";

/** The paths of `openapi.json` with this method. */
export type PathOf<M extends Method> = {
  [Path in keyof Paths]: Paths[Path] extends Record<M, { responses: unknown }> ? Path : never;
}[keyof Paths];

type Operation<M extends Method, Path> = Path extends keyof Paths
  ? Paths[Path] extends Record<M, infer Found>
    ? Found
    : never
  : never;

type PathPart<O> = O extends { parameters: { path: infer Part } }
  ? { readonly path: Deep<Part> }
  : object;
type QueryPart<O> = O extends { parameters: { query: infer Part } }
  ? { readonly query: Deep<Part> }
  : O extends { parameters: { query?: infer Part } }
    ? { readonly query?: Deep<NonNullable<Part>> }
    : object;
type BodyPart<O> = O extends { requestBody: { content: { "application/json": infer Body } } }
  ? { readonly body: Deep<Body> }
  : O extends { requestBody?: { content: { "application/json": infer Body } } }
    ? { readonly body?: Deep<Body> }
    : object;

/** The parts of a request. With `ifMatch`, it fails with 412 if the resource has changed. */
export type RequestParts<M extends Method, Path> = PathPart<Operation<M, Path>> &
  QueryPart<Operation<M, Path>> &
  BodyPart<Operation<M, Path>> & {
    readonly ifMatch?: string;
    /** A retry with the same key is recorded once. */
    readonly idempotencyKey?: string;
  };

type Success = 200 | 201 | 202 | 204;

/** The response body; undefined if there is none. */
export type Answer<M extends Method, Path> =
  Operation<M, Path> extends { responses: infer All }
    ? {
        [Status in keyof All & Success]: All[Status] extends {
          content: { "application/json": infer Body };
        }
          ? Deep<Body>
          : undefined;
      }[keyof All & Success]
    : never;

type Rest<M extends Method, Path> =
  object extends RequestParts<M, Path>
    ? [asked?: RequestParts<M, Path>]
    : [asked: RequestParts<M, Path>];

export interface Tagged<T> {
  readonly body: T;
  /** The ETag, for `ifMatch` of a change. */
  readonly etag: string;
}

interface AnyRequestParts {
  readonly path?: object;
  readonly query?: object;
  readonly body?: unknown;
  readonly ifMatch?: string;
  readonly idempotencyKey?: string;
}

/** Returns the query string, without undefined values. */
export function queryOf(parameters: object): URLSearchParams {
  const defined = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return new URLSearchParams(defined.map(([name, value]) => [name, String(value)]));
}

export function urlOf(path: string, { path: parts = {}, query = {} }: AnyRequestParts): string {
  const values: Readonly<Record<string, unknown>> = { ...parts };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(`${values[name]}`));
  const search = queryOf(query).toString();
  return search ? `${filled}?${search}` : filled;
}

/**
 * Creates a client for the operations in `openapi.json`: a change of the API becomes a type error
 * here.
 */
function createClient(fetcher: typeof fetch, headers: Readonly<Record<string, string>> = {}) {
  const send = (method: Method, path: string, parts?: AnyRequestParts): Promise<Response> =>
    withReauthentication(() => sendOnce(method, path, parts));
  async function sendOnce(
    method: Method,
    path: string,
    asked: AnyRequestParts = {},
  ): Promise<Response> {
    const { body, ifMatch, idempotencyKey } = asked;
    const deadline = new AbortController();
    // No timeout for changes: after an abort their outcome would be unknown.
    const timer = method === "get" && setTimeout(() => deadline.abort(), REQUEST_DEADLINE_MS);
    try {
      return await fetcher(urlOf(path, asked), {
        method: method.toUpperCase(),
        signal: deadline.signal,
        headers: {
          ...headers,
          ...(body !== undefined && { "Content-Type": "application/json" }),
          ...(ifMatch && { "If-Match": ifMatch }),
          ...(idempotencyKey && { "Idempotency-Key": idempotencyKey }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }).then(requestError);
    } catch (error) {
      // The session's `fetch` rejects by itself, without reading the problem document.
      if (error instanceof HttpError) error.problem ??= await readProblem(error.response);
      throw error;
    } finally {
      if (timer) clearTimeout(timer);
    }
  }
  const calls =
    <M extends Method>(method: M) =>
    async <Path extends PathOf<M>>(
      path: Path,
      ...rest: Rest<M, Path>
    ): Promise<Answer<M, Path>> => {
      // The union of the parts of all operations is too large for the compiler.
      const [parts] = rest as readonly unknown[] as readonly [AnyRequestParts?];
      const text = await (await send(method, path, parts)).text();
      return (text ? JSON.parse(text) : undefined) as Answer<M, Path>;
    };
  return {
    get: calls("get"),
    put: calls("put"),
    post: calls("post"),
    delete: calls("delete"),
    /** Returns the body with its ETag, for resources that several people edit. */
    async tagged<Path extends PathOf<"get">>(
      path: Path,
      ...[asked]: Rest<"get", Path>
    ): Promise<Tagged<Answer<"get", Path>>> {
      const response = await send("get", path, asked);
      return { body: await response.json(), etag: response.headers.get("ETag") ?? "" };
    },
  };
}

function requestError(response: Response): Response {
  if (!response.ok) throw new HttpError(response);
  return response;
}

/** The client with the operator's session. */
export const api = createClient(session.fetch);

/** The client without a session, for sign-in. The refresh token is an HttpOnly cookie. */
export const anonymousApi = createClient((...request) => fetch(...request), {
  "X-Musette-Cookies": "hardened",
});
