import type { Schema } from "@musette/client/api";
import { requestJson } from "@musette/client/http";

/** The tokens of a new session. */
export type Tokens = Schema<"Tokens">;

const BASE = "/api/session/v1";
const CODE_LIFETIME_S = 600;

/**
 * Requests a code and returns its lifetime. The answer does not reveal whether this identifier
 * exists.
 */
export async function requestCode(identifier: string, language: string): Promise<number> {
  const answer = await post<Partial<Schema<"CodeSentBody">>>(
    `${BASE}/codes`,
    { identifier },
    language,
  );
  return (answer.expires_in ?? CODE_LIFETIME_S) * 1000;
}

export function exchangeCode(identifier: string, code: string): Promise<Tokens> {
  return post<Tokens>(`${BASE}/tokens`, { identifier, code });
}

function post<T>(url: string, body: object, language?: string): Promise<T> {
  return requestJson<T>(fetch, url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      // The message should be in the language of the app, which may differ from the browser's.
      ...(language && { "Accept-Language": language }),
    },
    body: JSON.stringify(body),
  });
}
