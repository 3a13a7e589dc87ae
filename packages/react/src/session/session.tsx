import type { Session, SessionState } from "@musette/client/session";
import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from "react";

const SessionContext = createContext<Session | undefined>(undefined);

/** Props of `SessionProvider`. */
export interface SessionProviderProps {
  /** Made once, outside of React: one a tab, since a session outlives every screen. */
  readonly session: Session;
  readonly children: ReactNode;
}

/** Provides a session to `useSession`. */
export function SessionProvider({ session, children }: SessionProviderProps) {
  // `.Provider`, since a host may still be on React 18.
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>;
}

/** What `useSession` returns. */
export interface UseSession extends SessionState {
  readonly fetch: Session["fetch"];
  readonly logout: Session["logout"];
}

/**
 * Reads who is signed in. `suspended`: still signed in, but the server could not be reached for a new token.
 *
 * @throws Error outside of a `SessionProvider`.
 */
export function useSession(): UseSession {
  const session = useContext(SessionContext);
  if (!session) throw new Error("useSession needs a <SessionProvider> around it");
  // A server has no cookies of this person: the first picture is drawn signed out, on both sides.
  const state = useSyncExternalStore(session.subscribe, session.getState, () => SIGNED_OUT);
  const { fetch, logout } = session;
  return useMemo(() => ({ ...state, fetch, logout }), [state, fetch, logout]);
}

const SIGNED_OUT: SessionState = { status: "signed-out", userId: undefined };
