import type { Fetch } from "../http";
import { type AxiosLike, attach } from "./attach";
import { createAuthorizer } from "./authorizer";
import { createCoordinator } from "./coordinator";
import { type Logout, SessionError } from "./failure";
import { createResolve, sessionFetch } from "./fetch";
import { browserManagers, type Managers } from "./managers";
import { within } from "./timing";
import { decode } from "./token";

/** Options of `createSession`. */
export interface SessionOptions {
  /** Where tokens are refreshed, such as `/api/session/v1/refresh`. */
  readonly refreshUrl: string;
  /** Told by `logout()`. Without it, a log-out only forgets the tokens of this browser. */
  readonly logoutUrl?: string;
  /** Called once for each failure that a request could not be authorised for, whether the session ended or not. */
  readonly onLogout: (logout: Logout) => void;
  /**
   * What a 403 with a valid token does. Default `logout`, as the specification has it; a missing permission
   * is no log-out, so prefer `reject`.
   */
  readonly on403?: "logout" | "reject";
  /** Where the refresh token is kept. Default `compatible`; `hardened`: in a cookie that no script can read. */
  readonly cookies?: "compatible" | "hardened";
  /** Where the token may be sent, beside the page's own origin. */
  readonly origins?: readonly string[];
  /** Sends the requests. Default: the global `fetch` at this time. */
  readonly fetch?: Fetch;
}

/**
 * Who is signed in. `suspended`: signed in, but the server could not be reached for a new token.
 */
export interface SessionState {
  readonly status: "signed-in" | "signed-out" | "suspended";
  readonly userId: string | undefined;
}

/** A session: it sends requests with its token and refreshes that. */
export interface Session {
  /**
   * `fetch` with the session's token. Refreshes an expired token once and replays the request.
   *
   * @throws HttpError for every status but success; its `cause` says why the session could not help.
   * @throws SessionError when the request was not sent.
   */
  readonly fetch: Fetch;
  /** Gives the session to an axios instance. Returns how to take it back. */
  attach(instance: AxiosLike): () => void;
  /** The access token; undefined when nobody is signed in. */
  getToken(): string | undefined;
  /** After a sign-in, as it was answered. */
  setTokens(tokens: { readonly dhhToken: string; readonly refreshToken?: string }): void;
  /** Forgets the tokens, in every tab. */
  clear(): void;
  /**
   * Ends the session on the server, and in every tab. Never rejects. With `hardened` cookies, wait for it before
   * somebody else signs in: the answer removes the cookie, whoever's it is by then.
   */
  logout(): Promise<void>;
  /** One object until something changes, so that identities can be compared. */
  getState(): SessionState;
  /** Calls the listener after each change of the state. Returns how to stop. */
  subscribe(listener: () => void): () => void;
  /** Lets go of timers, listeners and the channel. */
  close(): void;
}

const LOGOUT_MS = 8_000;

/**
 * Creates a session. A tab needs one; it patches nothing global.
 *
 * @param managers - Clock, cookies and other browser facts, to be replaced in tests.
 */
export function createSession(
  options: SessionOptions,
  managers: Managers = browserManagers(),
): Session {
  const { refreshUrl, logoutUrl, origins = [], on403 = "logout", onLogout } = options;
  const hardened = options.cookies === "hardened";
  // Kept now, so that a host that puts `session.fetch` in its place does not go in circles.
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const coordinator = createCoordinator(
    { refreshUrl, onLogout, on403, hardened, send, changed },
    managers,
  );
  const authorizer = createAuthorizer(coordinator);
  const { store, refresher } = coordinator;
  const resolve = createResolve(managers.page, origins, refreshUrl);
  const getToken = () => store.current()?.access;
  const clear = () => coordinator.end(new SessionError("missing_token"));
  const stopWaking = managers.onWake(() => {
    refresher.wake();
    changed();
  });
  let state: SessionState = { status: "signed-out", userId: undefined };

  return {
    fetch: sessionFetch(authorizer, send, resolve),
    attach: (instance) => attach(instance, authorizer, resolve),
    getToken,
    setTokens({ dhhToken, refreshToken }) {
      const tokens = { access: dhhToken, refresh: hardened ? undefined : refreshToken };
      coordinator.dropOthers(dhhToken);
      store.write(tokens);
      refresher.stop();
      managers.share(tokens);
      managers.channel.post({ tokens });
      changed();
    },
    clear,
    async logout() {
      const tokens = store.current();
      clear();
      if (!logoutUrl || !tokens) return;
      const gone = send(logoutUrl, {
        method: "POST",
        // A log-out is often the last thing that a page does.
        keepalive: true,
        // The cookies are removed here already. The answer would remove them once more, however late it comes, and
        // on a shared phone they are somebody else's by then. No script removes the hardened one.
        credentials: hardened ? "include" : "omit",
        headers: {
          "Content-Type": "application/json",
          Authorization: `Bearer ${tokens.access}`,
        },
        ...(tokens.refresh && { body: JSON.stringify({ refresh_token: tokens.refresh }) }),
      });
      await within(managers, LOGOUT_MS, gone);
    },
    getState() {
      const token = getToken();
      const suspended = refresher.phase() === "suspended";
      const status = !token ? "signed-out" : suspended ? "suspended" : "signed-in";
      const userId = decode(token)?.sub;
      if (state.status !== status || state.userId !== userId) state = { status, userId };
      return state;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      stopWaking();
      refresher.stop(new SessionError("refresh_unavailable"));
      managers.channel.close();
    },
  };
}
