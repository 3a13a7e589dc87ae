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
  /** The address that refreshes tokens, such as `/api/session/v1/refresh`. */
  readonly refreshUrl: string;
  /** The address that `logout()` notifies. Without it, `logout()` only removes the tokens of this browser. */
  readonly logoutUrl?: string;
  /** Called once for each failed authorization, whether or not it ended the session (`logout.final`). */
  readonly onLogout: (logout: Logout) => void;
  /**
   * What happens after a 403 with a valid token. `logout` (default, as specified) calls `onLogout`;
   * `reject` only rejects the request. Prefer `reject`, because a missing permission is not a log-out.
   */
  readonly on403?: "logout" | "reject";
  /** The cookie profile. Default `compatible`. `hardened`: scripts cannot read the refresh token's cookie. */
  readonly cookies?: "compatible" | "hardened";
  /** Origins that may receive the token, in addition to the page's own origin. */
  readonly origins?: readonly string[];
  /** Sends the requests. Default: the global `fetch` at the time of this call. */
  readonly fetch?: Fetch;
}

/**
 * The user who is signed in. `suspended`: signed in, but the server did not respond to the last refresh.
 */
export interface SessionState {
  readonly status: "signed-in" | "signed-out" | "suspended";
  readonly userId: string | undefined;
}

/** A session. It sends requests with its token and refreshes the token. */
export interface Session {
  /**
   * A `fetch` that sends the session's token. After a 401 or 403 with an expired token it refreshes the
   * token once and replays the request.
   *
   * @throws HttpError for every error status. Its `cause` says why the session could not authorize it.
   * @throws SessionError if the request was not sent.
   */
  readonly fetch: Fetch;
  /** Makes an axios instance use the session. Returns a function that detaches it. */
  attach(instance: AxiosLike): () => void;
  /** Returns the access token; undefined if no user is signed in. */
  getToken(): string | undefined;
  /** Sets the tokens from the response of a sign-in. */
  setTokens(tokens: { readonly dhhToken: string; readonly refreshToken?: string }): void;
  /** Removes the tokens in every tab, without a request to the server. */
  clear(): void;
  /**
   * Ends the session on the server and in every tab. Never rejects. With `hardened` cookies, wait for it
   * before the next user signs in: the response removes the cookie, even if it belongs to the next user.
   */
  logout(): Promise<void>;
  /** Returns the state: the same object until it changes, so that identities can be compared. */
  getState(): SessionState;
  /** Calls the listener after each change of the state. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
  /** Stops timers and listeners and closes the channel. */
  close(): void;
}

const LOGOUT_MS = 8_000;

/**
 * Creates a session. A tab needs only one. It does not patch any global.
 *
 * @param managers - Clock, cookies and other features of the browser. Tests can replace them.
 *
 * @example
 * const session = createSession({
 *   refreshUrl: "/api/session/v1/refresh",
 *   on403: "reject",
 *   onLogout: ({ final }) => {
 *     if (final) location.assign("/sign-in");
 *   },
 * });
 * const response = await session.fetch("/api/shifts");
 */
export function createSession(
  options: SessionOptions,
  managers: Managers = browserManagers(),
): Session {
  const { refreshUrl, logoutUrl, origins = [], on403 = "logout", onLogout } = options;
  const hardened = options.cookies === "hardened";
  // Read once, so that a host can replace the global `fetch` with `session.fetch` without a loop.
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);
  const listeners = new Set<() => void>();
  const notifyListeners = () => {
    for (const listener of listeners) listener();
  };
  const coordinator = createCoordinator(
    { refreshUrl, onLogout, on403, hardened, send, changed: notifyListeners },
    managers,
  );
  const authorizer = createAuthorizer(coordinator);
  const { store, refresher } = coordinator;
  const resolve = createResolve(managers.page, origins, refreshUrl);
  const getToken = () => store.current()?.access;
  const clear = () => coordinator.end(new SessionError("missing_token"));
  const stopWaking = managers.onWake(() => {
    refresher.wake();
    notifyListeners();
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
      notifyListeners();
    },
    clear,
    async logout() {
      const tokens = store.current();
      clear();
      if (!logoutUrl || !tokens) return;
      const response = send(logoutUrl, {
        method: "POST",
        // A log-out is often the last request of a page.
        keepalive: true,
        // The cookies are already removed here. Without `omit`, a late response would remove them again, and on
        // a shared phone they may then belong to the next user. Only the server can remove the hardened cookie.
        credentials: hardened ? "include" : "omit",
        headers: {
          "Content-Type": "application/json",
          Authorization: `Bearer ${tokens.access}`,
        },
        ...(tokens.refresh && { body: JSON.stringify({ refresh_token: tokens.refresh }) }),
      });
      await within(managers, LOGOUT_MS, response);
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
