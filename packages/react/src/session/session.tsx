import type { Session, SessionState } from "@musette/client/session";
import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from "react";

const SessionContext = createContext<Session | undefined>(undefined);

/** Props of `SessionProvider`. */
export interface SessionProviderProps {
  /** The session. Create it once per tab, outside of React, because it must outlive every screen. */
  readonly session: Session;
  readonly children: ReactNode;
}

/**
 * Provides a session to `useSession`.
 *
 * @example
 * const session = createSession({ refreshUrl: "/api/session/v1/refresh", onLogout: () => {} });
 * const app = <SessionProvider session={session}><App /></SessionProvider>;
 */
export function SessionProvider({ session, children }: SessionProviderProps) {
  // `.Provider`, because a host may still use React 18.
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>;
}

/** The return value of `useSession`. */
export interface UseSession extends SessionState {
  /** The `fetch` of the session. */
  readonly fetch: Session["fetch"];
  /** Ends the session on the server and in every tab. */
  readonly logout: Session["logout"];
}

/**
 * Returns the signed-in user and the status of the session. `suspended`: still signed in, but the server did
 * not respond to the last refresh.
 *
 * @throws Error outside of a `SessionProvider`.
 */
export function useSession(): UseSession {
  const session = useContext(SessionContext);
  if (!session) throw new Error("useSession must be called inside a <SessionProvider>");
  // A server does not have the cookies of the user, so the first render is signed out on both sides.
  const state = useSyncExternalStore(session.subscribe, session.getState, () => SIGNED_OUT);
  const { fetch, logout } = session;
  return useMemo(() => ({ ...state, fetch, logout }), [state, fetch, logout]);
}

const SIGNED_OUT: SessionState = { status: "signed-out", userId: undefined };
