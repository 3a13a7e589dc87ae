import type { Fetch } from "../http";
import { type Logout, type Reason, SessionError } from "./failure";
import { type Culprit, createFlights } from "./flights";
import type { Managers } from "./managers";
import { type Outcome, refresh } from "./refresh";
import { createServerTime } from "./server-time";
import { createTokenStore } from "./tokens";

export interface KeeperOptions {
  readonly refreshUrl: string;
  readonly onLogout: (logout: Logout) => void;
  readonly on403: "logout" | "reject";
  readonly hardened: boolean;
  readonly send: Fetch;
  changed(): void;
}

export type Keeper = ReturnType<typeof createKeeper>;

/** Keeps the session: its tokens, its refreshes, its end, and what the other tabs say of them. */
export function createKeeper(options: KeeperOptions, managers: Managers) {
  const { hardened, send } = options;
  const store = createTokenStore(managers, hardened);
  const time = createServerTime(managers);
  let places = 0;
  let lastLogout = 0;

  const refreshable = () => hardened || !!store.current()?.refresh;

  const flights = createFlights({
    managers,
    changed: options.changed,
    run(wanted): Promise<Outcome> {
      const stale = store.current();
      if (!stale || !refreshable()) return Promise.resolve({ reason: "missing_token" });
      const { refreshUrl } = options;
      const context = { managers, store, send, refreshUrl, hardened, time };
      return refresh(context, stale, wanted);
    },
    landed(outcome, culprit) {
      if ("tokens" in outcome) return undefined;
      if ("reason" in outcome) return fail(outcome.reason, culprit);
      const failure = new SessionError("refresh_unavailable");
      // The tries in between are ours: the host has been told already that there is no answer.
      if (culprit) tell(failure, culprit);
      return failure;
    },
  });

  function tell({ reason, final }: SessionError, culprit?: Culprit) {
    try {
      options.onLogout({ reason, final, ...culprit });
    } catch (error) {
      // A fault of the host's is shown as one, and holds up none of the requests that wait.
      managers.after(0, () => {
        throw error;
      });
    }
  }

  /** Ends the session of this tab, and once of every tab. */
  function end(failure: SessionError) {
    lastLogout = ++places;
    const last = store.clear();
    managers.share({ access: undefined, refresh: undefined });
    if (last) managers.channel.post({ ended: last, reason: failure.reason });
    flights.stop(failure);
    options.changed();
  }

  function fail(reason: Reason, culprit?: Culprit, issued = Infinity): SessionError {
    const failure = new SessionError(reason);
    if (!failure.final) {
      if (options.on403 === "logout") tell(failure, culprit);
    } else if (issued > lastLogout) {
      end(failure);
      tell(failure, culprit);
    }
    return failure;
  }

  managers.channel.listen((message) => {
    if ("tokens" in message) {
      store.adopt(message.tokens);
      if (flights.phase() === "suspended") flights.stop();
    } else if (store.forget(message.ended)) {
      lastLogout = ++places;
      const failure = new SessionError(message.reason);
      flights.stop(failure);
      tell(failure);
    }
    options.changed();
  });
  store.current();

  return {
    store,
    flights,
    end,
    fail,
    refreshable,
    time,
    place: () => ++places,
  };
}
