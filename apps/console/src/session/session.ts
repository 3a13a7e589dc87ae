import { createSession } from "@musette/client/session";
import { useSyncExternalStore } from "react";

/** The session of an operator or admin. The refresh token is an HttpOnly cookie. */
export const session = createSession({
  refreshUrl: "/api/session/v1/refresh",
  logoutUrl: "/api/session/v1/logout",
  cookies: "hardened",
  // A missing permission must not end the session.
  on403: "reject",
  // Listeners of the state come first: they ask `isSigningOut` why it changed.
  onLogout() {},
});

export const isSignedIn = () => session.getState().userId !== undefined;

let signingOut = false;
let leaving: Promise<void> | undefined;

/** Ends the session because the person asked for it. Any other end is explained on the sign-in page. */
export function signOut(): void {
  signingOut = true;
  // Forgets the tokens and calls the listeners before it returns.
  leaving = session.logout().finally(() => {
    leaving = undefined;
  });
  signingOut = false;
}

/**
 * A log-out that the server has not answered yet, nor left without an answer for long: its answer would remove the next
 * person's cookie.
 */
export const signOutUnderWay = () => leaving;

/** True for listeners that are called by `signOut`, and only then. */
export const isSigningOut = () => signingOut;

export function useSessionState() {
  return useSyncExternalStore(session.subscribe, session.getState);
}
