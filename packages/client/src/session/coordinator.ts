import type { Fetch } from "../http";
import { type Logout, type Reason, SessionError } from "./failure";
import type { Managers } from "./managers";
import { type Outcome, refresh } from "./refresh";
import { createRefresher, type Trigger } from "./refresher";
import { createServerTime } from "./server-time";
import { belongsTo } from "./token";
import { createTokenStore } from "./tokens";

export interface CoordinatorOptions {
  readonly refreshUrl: string;
  readonly onLogout: (logout: Logout) => void;
  readonly on403: "logout" | "reject";
  readonly hardened: boolean;
  readonly send: Fetch;
  changed(): void;
}

export type Coordinator = ReturnType<typeof createCoordinator>;

/** Coordinates tokens, refreshes and log-outs of this tab with the other tabs. */
export function createCoordinator(options: CoordinatorOptions, managers: Managers) {
  const { hardened } = options;
  const store = createTokenStore(managers, hardened);
  const time = createServerTime(managers);
  let sequence = 0;
  let lastLogout = 0;

  /** Refreshes and log-outs without an answer, by the access token that they are for. */
  const unanswered = new Map<AbortController, string>();

  /**
   * A request whose answer sets or removes cookies. Once somebody else has signed in, its answer is not taken any
   * more: on a shared phone it would sign out whoever has the phone now.
   */
  async function send(access: string, url: string, init: RequestInit): Promise<Response> {
    const abort = new AbortController();
    unanswered.set(abort, access);
    init.signal?.addEventListener("abort", () => abort.abort());
    try {
      return await options.send(url, { ...init, signal: abort.signal });
    } finally {
      unanswered.delete(abort);
    }
  }

  function dropOthers(access: string) {
    for (const [abort, own] of unanswered) if (!belongsTo(access, own)) abort.abort();
  }

  const refreshable = () => hardened || !!store.current()?.refresh;

  const refresher = createRefresher({
    managers,
    changed: options.changed,
    run(wanted): Promise<Outcome> {
      const stale = store.current();
      if (!stale || !refreshable()) return Promise.resolve({ reason: "missing_token" });
      const { refreshUrl } = options;
      const context = { managers, store, send, refreshUrl, hardened, time };
      return refresh(context, stale, wanted);
    },
    settled(outcome, trigger) {
      if ("tokens" in outcome) return undefined;
      if ("reason" in outcome) return fail(outcome.reason, trigger);
      const failure = new SessionError("refresh_unavailable");
      // Retries of our own are not reported: the host knows already that there is no answer.
      if (trigger) report(failure, trigger);
      return failure;
    },
  });

  function report({ reason, final }: SessionError, trigger?: Trigger) {
    try {
      options.onLogout({ reason, final, ...trigger });
    } catch (error) {
      // In a task of its own: an error of the host must not stop the requests that wait.
      managers.after(0, () => {
        throw error;
      });
    }
  }

  /** Ends the session in this tab and the others. */
  function end(failure: SessionError) {
    lastLogout = ++sequence;
    const last = store.clear();
    managers.share({ access: undefined, refresh: undefined });
    if (last) managers.channel.post({ ended: last, reason: failure.reason });
    refresher.stop(failure);
    options.changed();
  }

  function fail(reason: Reason, trigger?: Trigger, issued = Infinity): SessionError {
    const failure = new SessionError(reason);
    if (!failure.final) {
      if (options.on403 === "logout") report(failure, trigger);
    } else if (issued > lastLogout) {
      end(failure);
      report(failure, trigger);
    }
    return failure;
  }

  managers.channel.listen((message) => {
    if ("tokens" in message) {
      dropOthers(message.tokens.access);
      store.merge(message.tokens);
      if (refresher.phase() === "suspended") refresher.stop();
    } else if (store.forget(message.ended)) {
      lastLogout = ++sequence;
      const failure = new SessionError(message.reason);
      refresher.stop(failure);
      report(failure);
    }
    options.changed();
  });
  store.current();

  return {
    store,
    send,
    dropOthers,
    refresher,
    end,
    fail,
    refreshable,
    time,
    next: () => ++sequence,
  };
}
