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
  /** Told of a refresh for this access token, before it is sent. */
  readonly asking: (access: string, abort: AbortController) => void;
}

const LOCK_WAIT_MS = 10_000;
const ANSWER_MS = 8_000;
/** Beside the answer, so that a lock is always free again before the next tab stops waiting. */
const SHARE_MS = 500;
const RESEND_MS = [500, 2_000];

const NO_ANSWER: Outcome = { retryAfterMs: 0 };

/** Rejects for what is no JSON: a hotel's sign-in page, or an answer that was cut off. */
async function read(response: Response, hardened: boolean): Promise<Outcome> {
  const { dhhToken, refreshToken } = await response.json();
  const refresh = hardened ? undefined : refreshToken;
  return decode(dhhToken) && (hardened || (refresh && typeof refresh === "string"))
    ? { tokens: { access: dhhToken, refresh } }
    : { reason: "invalid_token" };
}

/** One POST. Rejects when the response was lost, so that another attempt makes sense. */
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
  if (status === 400 || status === 401 || status === 403) return { reason: "refresh_rejected" };
  const retryAfterMs = 1000 * Number(headers.get("retry-after")) || 0;
  if (!retryAfterMs && status > 501 && status < 505) throw Error();
  return { retryAfterMs };
}

/** The POST with retries: the server is idempotent and gives a repeat the same tokens. */
async function requestTokens(
  context: RefreshContext,
  tokens: Tokens,
  instance: string,
): Promise<Outcome> {
  const { managers } = context;
  const abort = new AbortController();
  context.asking(tokens.access, abort);
  async function tries(): Promise<Outcome> {
    for (const delayMs of [...RESEND_MS, 0]) {
      try {
        return await post(context, tokens, instance, abort.signal);
      } catch {
        // Lost: try again.
        if (delayMs) await pause(managers, delayMs * (1 + managers.random() / 2));
        if (abort.signal.aborted) break;
      }
    }
    return NO_ANSWER;
  }
  const outcome = await within(managers, ANSWER_MS, tries(), NO_ANSWER);
  abort.abort();
  return outcome;
}

/** One refresh of `stale`, inside the lock: adopted from another tab, or asked for. */
async function refreshed(
  context: RefreshContext,
  stale: Tokens,
  wanted: () => boolean,
): Promise<Outcome> {
  const { managers, store } = context;
  const nothing: Shared = { instance: "" };
  const share = (change?: Tokens) => within(managers, SHARE_MS, managers.share(change), nothing);

  async function newest(): Promise<{ tokens: Tokens | undefined; instance: string }> {
    const { instance, access, refresh } = await share();
    if (access) store.merge({ access, refresh });
    return { tokens: store.current(), instance };
  }
  const isNews = (tokens: Tokens | undefined): tokens is Tokens =>
    !!tokens && supersedes(tokens.access, stale.access);

  const { tokens, instance } = await newest();
  if (!wanted() || !tokens) return { reason: "missing_token" };
  if (isNews(tokens) && !isExpired(decode(tokens.access) ?? {}, context.time.now())) {
    return { tokens };
  }
  const outcome = await requestTokens(context, tokens, instance);
  if ("tokens" in outcome) {
    if (!wanted()) {
      store.discard(outcome.tokens.access);
      return { reason: "missing_token" };
    }
    store.write(outcome.tokens);
    await share(outcome.tokens);
    managers.channel.post(outcome);
  } else if ("reason" in outcome) {
    // Without a lock another tab may have won meanwhile: the loser is signed in all the same.
    const later = (await newest()).tokens;
    if (later && later !== tokens && supersedes(later.access, tokens.access)) {
      return { tokens: later };
    }
  }
  return outcome;
}

/** Never rejects and always settles: it waits for the lock, never steals it, and goes on without it. */
export function refresh(
  context: RefreshContext,
  stale: Tokens,
  wanted: () => boolean,
): Promise<Outcome> {
  const { managers } = context;
  return new Promise((resolve) => {
    const abort = new AbortController();
    let begun = false;
    async function begin() {
      if (begun) return;
      begun = true;
      stop();
      resolve(await refreshed(context, stale, wanted).catch(() => NO_ANSWER));
    }
    const stop = managers.after(LOCK_WAIT_MS, () => {
      abort.abort();
      begin();
    });
    // No lock, as in a document that is not fully active: the server copes with a race.
    managers.lock(abort.signal, begin).catch(begin);
  });
}
