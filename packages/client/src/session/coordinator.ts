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
  const { hardened, send } = options;
  const store = createTokenStore(managers, hardened);
  const time = createServerTime(managers);
  let sequence = 0;
  let lastLogout = 0;

  let latest: { readonly access: string; readonly abort: AbortController } | undefined;

  /**
   * Aborts the latest refresh if it belongs to another session, and returns whether it did. A late response
   * sets cookies: on a shared phone it would overwrite the tokens of the user who has signed in meanwhile.
   */
  function dropOthers(access: string): boolean {
    const isOther = !!latest && !belongsTo(access, latest.access);
    if (isOther) latest?.abort.abort();
    return isOther;
  }

  const refreshable = () => hardened || !!store.current()?.refresh;

  const refresher = createRefresher({
    managers,
    changed: options.changed,
    run(isCurrent): Promise<Outcome> {
      const stale = store.current();
      if (!stale || !refreshable()) return Promise.resolve({ reason: "missing_token" });
      const { refreshUrl } = options;
      const onRefreshStart = (access: string, abort: AbortController) => {
        latest = { access, abort };
      };
      const context = { managers, store, send, refreshUrl, hardened, time, onRefreshStart };
      return refresh(context, stale, isCurrent);
    },
    settled(outcome, trigger) {
      if ("tokens" in outcome) return undefined;
      if ("reason" in outcome) return fail(outcome.reason, trigger);
      const failure = new SessionError("refresh_unavailable");
      // The session does not report its own retries, because it has already reported the first failure.
      if (trigger) report(failure, trigger);
      return failure;
    },
  });

  function report({ reason, final }: SessionError, trigger?: Trigger) {
    try {
      options.onLogout({ reason, final, ...trigger });
    } catch (error) {
      // In a separate task, so that an error of the host does not stop the waiting requests.
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
      store.merge(message.tokens);
      const isOther = dropOthers(message.tokens.access);
      if (isOther || refresher.phase() === "suspended") refresher.stop();
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
    dropOthers,
    refresher,
    end,
    fail,
    refreshable,
    time,
    next: () => ++sequence,
  };
}
