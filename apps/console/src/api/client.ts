import { HttpError, REQUEST_DEADLINE_MS, readProblem } from "@musette/client/http";
import { session } from "../session/session";
import type { Deep, Paths } from "./wire";

type Method = "get" | "put" | "post" | "delete";

/** The paths of `openapi.json` that take this method. */
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

/** What a request is made of. With `ifMatch`, it fails with 412 when somebody else was faster. */
export type Asked<M extends Method, Path> = PathPart<Operation<M, Path>> &
  QueryPart<Operation<M, Path>> &
  BodyPart<Operation<M, Path>> & { readonly ifMatch?: string };

type Success = 200 | 201 | 202 | 204;

/** The body of what the server answers; undefined where it has none. */
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
  object extends Asked<M, Path> ? [asked?: Asked<M, Path>] : [asked: Asked<M, Path>];

export interface Tagged<T> {
  readonly body: T;
  /** To be given back with a change as `ifMatch`. */
  readonly etag: string;
}

interface AnyAsked {
  readonly path?: object;
  readonly query?: object;
  readonly body?: unknown;
  readonly ifMatch?: string;
}

/** As the query of an address, without what is undefined. */
export function queryOf(parameters: object): URLSearchParams {
  const said = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return new URLSearchParams(said.map(([name, value]) => [name, String(value)]));
}

export function urlOf(path: string, { path: parts = {}, query = {} }: AnyAsked): string {
  const values: Readonly<Record<string, unknown>> = { ...parts };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(`${values[name]}`));
  const search = queryOf(query).toString();
  return search ? `${filled}?${search}` : filled;
}

/** Requests that `openapi.json` knows, and no others: a change of the API is an error of types here. */
function clientOf(fetcher: typeof fetch, headers: Readonly<Record<string, string>> = {}) {
  async function send(method: Method, path: string, asked: AnyAsked = {}): Promise<Response> {
    const { body, ifMatch } = asked;
    const deadline = new AbortController();
    // What is changed may take its time: nobody knows what came of a change that was cut off.
    const timer = method === "get" && setTimeout(() => deadline.abort(), REQUEST_DEADLINE_MS);
    try {
      return await fetcher(urlOf(path, asked), {
        method: method.toUpperCase(),
        signal: deadline.signal,
        headers: {
          ...headers,
          ...(body !== undefined && { "Content-Type": "application/json" }),
          ...(ifMatch && { "If-Match": ifMatch }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }).then(refused);
    } catch (error) {
      // A session rejects by itself, and does not read what the server says about it.
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
      ...[asked]: Rest<M, Path>
    ): Promise<Answer<M, Path>> => {
      const text = await (await send(method, path, asked)).text();
      return (text ? JSON.parse(text) : undefined) as Answer<M, Path>;
    };
  return {
    get: calls("get"),
    put: calls("put"),
    post: calls("post"),
    delete: calls("delete"),
    /** What two people may edit, with the tag of what was read. */
    async tagged<Path extends PathOf<"get">>(
      path: Path,
      ...[asked]: Rest<"get", Path>
    ): Promise<Tagged<Answer<"get", Path>>> {
      const response = await send("get", path, asked);
      return { body: await response.json(), etag: response.headers.get("ETag") ?? "" };
    },
  };
}

function refused(response: Response): Response {
  if (!response.ok) throw new HttpError(response);
  return response;
}

/** As whoever is signed in. */
export const api = clientOf(session.fetch);

/** As nobody yet; the refresh token becomes a cookie that no script can read. */
export const openApi = clientOf((...request) => fetch(...request), {
  "X-Musette-Cookies": "hardened",
});
