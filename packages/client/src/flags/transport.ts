import type { FlagClientOptions } from "./flag-client";
import type { Managers } from "./managers";

const SDK = "musette-client/0.1.0";

/** The outcome of a request. Neither a body nor a failure means 304 Not Modified. */
export interface Outcome {
  readonly body?: unknown;
  readonly tag?: string | null;
  /** The text after `client:` in `explanation.from`, for example `timeout`, `network` or `http_503`. */
  readonly failure?: string;
}

/** A request to the flag service. */
export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  readonly limitMs: number;
  /** The ETag of the stored results. */
  readonly tag?: string | undefined;
  readonly keepalive?: boolean;
  readonly cancelSignal?: AbortSignal;
}

/** Sends a request. Never rejects and always settles, even if `fetch` ignores its signal. */
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
      // Requests are authorized by the key, not by cookies.
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
      // For an unknown flag, v1 and v2 respond with 404 and a result that says so.
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
      call.cancelSignal?.addEventListener("abort", fail("aborted"), { signal: abort.signal });
      exchange(call, abort.signal).then(settle, fail("network"));
    });
}
