import { HttpError, readProblem, requestJson } from "@musette/client/http";
import { session } from "../session/session";

const BASE = "/api/admin/v1";

export interface Tagged<T> {
  readonly body: T;
  /** To be given back with a change: it fails with 412 when somebody else was faster. */
  readonly etag: string;
}

export const readAdmin = <T>(path: string) => requestJson<T>(session.fetch, BASE + path);

/** What two people may edit, with the tag of what was read. */
export async function readTagged<T>(path: string): Promise<Tagged<T>> {
  const response = await session.fetch(BASE + path).catch(withProblem);
  return { body: await response.json(), etag: response.headers.get("ETag") ?? "" };
}

interface Change {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  readonly body?: unknown;
  readonly ifMatch?: string;
}

/** Undefined where there is nothing to say, as after a deletion. */
export async function changeAdmin<T>(path: string, change: Change): Promise<T | undefined> {
  const { method, body, ifMatch } = change;
  const response = await session
    .fetch(BASE + path, {
      method,
      headers: {
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...(ifMatch && { "If-Match": ifMatch }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    .catch(withProblem);
  const text = await response.text();
  return text ? (JSON.parse(text) as T) : undefined;
}

/** A session rejects by itself, and does not read what the server says about it. */
async function withProblem(error: unknown): Promise<never> {
  if (error instanceof HttpError) error.problem ??= await readProblem(error.response);
  throw error;
}
