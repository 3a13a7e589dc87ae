import { createSession } from "@musette/client/session";
import { useSyncExternalStore } from "react";

let ended = false;

/** Of operators and admins; the refresh token is where no script can read it. */
export const session = createSession({
  refreshUrl: "/api/session/v1/refresh",
  logoutUrl: "/api/session/v1/logout",
  cookies: "hardened",
  // A missing permission is no reason to sign anybody out.
  on403: "reject",
  onLogout({ final }) {
    if (final) ended = true;
  },
});

export const isSignedIn = () => session.getState().userId !== undefined;

/** Whether the session was ended by the server, and not by signing out here. Asked once. */
export function wasEnded(): boolean {
  const was = ended;
  ended = false;
  return was;
}

export function useSessionState() {
  return useSyncExternalStore(session.subscribe, session.getState);
}
