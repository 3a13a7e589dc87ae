import type { Fetch } from "../http";
import type { FlagClientOptions } from "./flag-client";
import type { Managers } from "./managers";

/** For what the interface waits for. */
export const BLOCKING_MS = 3_000;
export const BACKGROUND_MS = 10_000;

const SDK = "musette-client/0.1.0";
const VERSIONS = ["v1", "v2", "v3"];

export type Outcome =
  | { readonly body: unknown; readonly tag: string | undefined }
  | { readonly unmodified: true }
  /** As in `explanation.from`, without `client:`. */
  | { readonly failure: string; readonly retryAfterMs: number };

export interface Call {
  readonly method: "GET" | "PUT" | "POST";
  readonly path: string;
  readonly body?: unknown;
  readonly limitMs: number;
  /** Of what is there already. */
  readonly tag?: string | undefined;
  readonly keepalive?: boolean;
  /** It is given up when the person changes. */
  readonly personal?: boolean;
}

export function apiVersion(asked = "v3"): string {
  return VERSIONS.includes(asked) ? asked : "v2";
}

export function baseAddress({ baseUrl, region, regions }: FlagClientOptions): string {
  const base = baseUrl ?? (region ? regions?.[region] : "/api/flags");
  if (base === undefined) throw new Error(`No address is known for the region ${region}`);
  return base.replace(/\/+$/, "");
}

export type Transport = ReturnType<typeof createTransport>;

/** Never rejects, and always ends: also when `fetch` does not heed its signal. */
export function createTransport(options: FlagClientOptions, managers: Managers) {
  const base = baseAddress(options);
  const send: Fetch = options.fetch ?? ((...call) => globalThis.fetch(...call));
  const live = new Set<() => void>();

  async function exchange(call: Call, signal: AbortSignal): Promise<Outcome> {
    const response = await send(`${base}/${call.path}`, {
      method: call.method,
      signal,
      // Nothing here is authorised by a cookie, and any origin may ask.
      credentials: "omit",
      headers: {
        Authorization: `Bearer ${options.token}`,
        "Content-Type": "application/json",
        "X-Musette-Sdk": SDK,
        ...(options.debug && { "X-Musette-Debug": "1" }),
        ...(call.tag && { "If-None-Match": call.tag }),
      },
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      ...(call.keepalive && { keepalive: true }),
    });
    const { status, ok, headers } = response;
    if (status === 304) return { unmodified: true };
    // A flag that v1 and v2 do not know is a 404, with a result that says so.
    const body = ok || status === 404 ? await response.json().catch(() => undefined) : undefined;
    if (body !== undefined && (ok || body?.explanation)) {
      return { body, tag: headers.get("etag") ?? undefined };
    }
    return {
      failure: ok ? "network" : `http_${status}`,
      retryAfterMs: 1000 * Number(headers.get("retry-after")) || 0,
    };
  }

  return {
    base,
    request: (call: Call) =>
      new Promise<Outcome>((resolve) => {
        const abort = new AbortController();
        const settle = (outcome: Outcome) => {
          stop();
          live.delete(drop);
          resolve(outcome);
        };
        const give = (failure: string) => {
          settle({ failure, retryAfterMs: 0 });
          abort.abort();
        };
        const drop = () => give("aborted");
        const stop = managers.after(call.limitMs, () => give("timeout"));
        if (call.personal) live.add(drop);
        exchange(call, abort.signal).then(settle, () => give("network"));
      }),
    /** Nobody may see what is still under way for the former person. */
    dropPersonal() {
      for (const drop of [...live]) drop();
    },
  };
}
