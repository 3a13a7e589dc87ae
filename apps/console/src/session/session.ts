import { createSession } from "@musette/client/session";
import { useSyncExternalStore } from "react";

let ended = false;

/** The session of an operator or admin. The refresh token is an HttpOnly cookie. */
export const session = createSession({
  refreshUrl: "/api/session/v1/refresh",
  logoutUrl: "/api/session/v1/logout",
  cookies: "hardened",
  // A missing permission must not end the session.
  on403: "reject",
  onLogout({ final }) {
    if (final) ended = true;
  },
});

export const isSignedIn = () => session.getState().userId !== undefined;

/** Whether the server ended the session, and not a sign-out here. Cleared when read. */
export function wasEnded(): boolean {
  const was = ended;
  ended = false;
  return was;
}

export function useSessionState() {
  return useSyncExternalStore(session.subscribe, session.getState);
}
