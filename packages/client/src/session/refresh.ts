import type { Fetch } from "../http";
import type { Reason } from "./failure";
import type { Managers } from "./managers";
import type { ServerTime } from "./server-time";
import type { Shared } from "./shared";
import { pause, within } from "./timing";
import { decode, isExpired, supersedes } from "./token";
import type { TokenStore, Tokens } from "./tokens";

export type Outcome =
  | { readonly tokens: Tokens }
  | { readonly reason: Reason }
  | { readonly retryAfterMs: number };

export interface RefreshContext {
  readonly managers: Managers;
  readonly store: TokenStore;
  readonly send: Fetch;
  readonly refreshUrl: string;
  readonly hardened: boolean;
  readonly time: ServerTime;
  /** Called before a refresh for this access token is sent. */
  readonly onRefreshStart: (access: string, abort: AbortController) => void;
}

const LOCK_WAIT_MS = 10_000;
const ANSWER_MS = 8_000;
/** Limit for shared storage. With `ANSWER_MS` it is below `LOCK_WAIT_MS`, so the lock is free in time. */
const SHARE_MS = 500;
const RESEND_MS = [500, 2_000];

const NO_ANSWER: Outcome = { retryAfterMs: 0 };

/** Reads the tokens. Rejects if the body is not JSON, like a hotel's sign-in page or a response cut off. */
async function read(response: Response, hardened: boolean): Promise<Outcome> {
  const { dhhToken, refreshToken } = await response.json();
  const refresh = hardened ? undefined : refreshToken;
  return decode(dhhToken) && (hardened || (refresh && typeof refresh === "string"))
    ? { tokens: { access: dhhToken, refresh } }
    : { reason: "invalid_token" };
}

/** Sends one POST. Rejects if the response was lost, so that the caller can retry. */
async function post(
  context: RefreshContext,
  tokens: Tokens,
  instance: string,
  signal: AbortSignal,
): Promise<Outcome> {
  const { hardened } = context;
  const response = await context.send(context.refreshUrl, {
    method: "POST",
    signal,
    headers: {
      "Content-Type": "application/json",
      "X-Musette-Instance": instance,
      ...(hardened && { "X-Musette-Cookies": "hardened" }),
    },
    credentials: hardened ? "include" : "same-origin",
    ...(!hardened && { body: JSON.stringify({ refresh_token: tokens.refresh }) }),
  });
  const { status, headers } = response;
  context.time.observe(headers.get("date"));
  if (response.ok) return await read(response, hardened);
  const refused = status === 400 || status === 401 || status === 403;
  // Any other type comes from a firewall or a proxy, not from the server.
  const isJson = /^application\/(problem\+)?json\b/i.test(headers.get("content-type") ?? "");
  if (refused && isJson) return { reason: "refresh_rejected" };
  const retryAfterMs = 1000 * Number(headers.get("retry-after")) || 0;
  if (!retryAfterMs && status > 501 && status < 505) throw Error();
  return { retryAfterMs };
}

/** Sends the POST with retries. The server is idempotent: a retry gets the same tokens. */
async function requestTokens(
  context: RefreshContext,
  tokens: Tokens,
  instance: string,
): Promise<Outcome> {
  const { managers } = context;
  const abort = new AbortController();
  context.onRefreshStart(tokens.access, abort);
  async function postWithRetries(): Promise<Outcome> {
    for (const delayMs of [...RESEND_MS, 0]) {
      try {
        return await post(context, tokens, instance, abort.signal);
      } catch {
        // The response was lost, so the loop retries.
        if (delayMs) await pause(managers, delayMs * (1 + managers.random() / 2));
        if (abort.signal.aborted) break;
      }
    }
    return NO_ANSWER;
  }
  const outcome = await within(managers, ANSWER_MS, postWithRetries(), NO_ANSWER);
  abort.abort();
  return outcome;
}

/** Refreshes `stale` while holding the lock: with newer tokens of another tab, or with a request. */
async function refreshInLock(
  context: RefreshContext,
  stale: Tokens,
  isCurrent: () => boolean,
): Promise<Outcome> {
  const { managers, store } = context;
  const noShared: Shared = { instance: "" };
  const share = (change?: Tokens) => within(managers, SHARE_MS, managers.share(change), noShared);

  async function readNewest(): Promise<{ tokens: Tokens | undefined; instance: string }> {
    const { instance, access, refresh } = await share();
    if (access) store.merge({ access, refresh });
    return { tokens: store.current(), instance };
  }
  const isNewer = (tokens: Tokens | undefined): tokens is Tokens =>
    !!tokens && supersedes(tokens.access, stale.access);

  const { tokens, instance } = await readNewest();
  if (!isCurrent() || !tokens) return { reason: "missing_token" };
  if (isNewer(tokens) && !isExpired(decode(tokens.access) ?? {}, context.time.now())) {
    return { tokens };
  }
  const outcome = await requestTokens(context, tokens, instance);
  if ("tokens" in outcome) {
    if (!isCurrent()) {
      store.discard(outcome.tokens.access);
      return { reason: "missing_token" };
    }
    store.write(outcome.tokens);
    await share(outcome.tokens);
    managers.channel.post(outcome);
  } else if ("reason" in outcome) {
    // Without a lock another tab may have refreshed first. Then this tab uses the tokens of that tab.
    const later = (await readNewest()).tokens;
    if (later && later !== tokens && supersedes(later.access, tokens.access)) {
      return { tokens: later };
    }
  }
  return outcome;
}

/** Refreshes the tokens. Never rejects and always settles: without the lock in time, it continues without it. */
export function refresh(
  context: RefreshContext,
  stale: Tokens,
  isCurrent: () => boolean,
): Promise<Outcome> {
  const { managers } = context;
  return new Promise((resolve) => {
    const abort = new AbortController();
    let started = false;
    async function start() {
      if (started) return;
      started = true;
      stop();
      resolve(await refreshInLock(context, stale, isCurrent).catch(() => NO_ANSWER));
    }
    const stop = managers.after(LOCK_WAIT_MS, () => {
      abort.abort();
      start();
    });
    // The lock may fail, as in a document that is not fully active. The server handles concurrent refreshes.
    managers.lock(abort.signal, start).catch(start);
  });
}
