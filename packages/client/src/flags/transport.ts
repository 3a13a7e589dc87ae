import type { FlagClientOptions } from "./flag-client";
import type { Managers } from "./managers";

const SDK = "musette-client/0.1.0";

/** A response. Neither a body nor a failure: 304 Not Modified. */
export interface Outcome {
  readonly body?: unknown;
  readonly tag?: string | null;
  /** What follows `client:` in `explanation.from`: `timeout`, `network`, `http_503`. */
  readonly failure?: string;
}

/** A request to the flag service. */
export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  readonly limitMs: number;
  /** The ETag of what is known. */
  readonly tag?: string | undefined;
  readonly keepalive?: boolean;
  readonly gone?: AbortSignal;
}

/** Never rejects, and always settles, even when `fetch` ignores its signal. */
export type Request = (call: Call) => Promise<Outcome>;

export function createRequest(
  { token, debug, fetch }: FlagClientOptions,
  base: string,
  managers: Managers,
): Request {
  async function exchange(call: Call, signal: AbortSignal): Promise<Outcome> {
    const { method = "PUT", path, body, tag, keepalive = false } = call;
    const response = await (fetch ?? globalThis.fetch)(`${base}/${path}`, {
      method,
      signal,
      keepalive,
      // The key authorises requests; cookies do not.
      credentials: "omit",
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        "X-Musette-Sdk": SDK,
        ...(debug && { "X-Musette-Debug": "1" }),
        ...(tag && { "If-None-Match": tag }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { status, ok, headers } = response;
    if (status === 304) return {};
    if (ok || status === 404) {
      // A flag that v1 and v2 do not know is a 404, with a result that says so.
      const answer = await response.json().catch(() => {});
      if (answer && (ok || answer.explanation)) return { body: answer, tag: headers.get("etag") };
    }
    return { failure: ok ? "network" : `http_${status}` };
  }

  return (call) =>
    new Promise((resolve) => {
      const abort = new AbortController();
      const settle = (outcome: Outcome) => {
        stop();
        resolve(outcome);
        abort.abort();
      };
      const fail = (failure: string) => () => settle({ failure });
      const stop = managers.after(call.limitMs, fail("timeout"));
      call.gone?.addEventListener("abort", fail("aborted"), { signal: abort.signal });
      exchange(call, abort.signal).then(settle, fail("network"));
    });
}
