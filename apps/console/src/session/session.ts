import { createSession } from "@musette/client/session";
import { useSyncExternalStore } from "react";

/** The session of an operator or admin. The refresh token is an HttpOnly cookie. */
export const session = createSession({
  refreshUrl: "/api/session/v1/refresh",
  logoutUrl: "/api/session/v1/logout",
  cookies: "hardened",
  // A missing permission must not end the session.
  on403: "reject",
  // The subscribers of the state come first: they call `isSigningOut` to learn why it changed.
  onLogout() {},
});

export const isSignedIn = () => session.getState().userId !== undefined;

let signingOut = false;
let leaving: Promise<void> | undefined;

/** Ends the session at the person's request. The sign-in page explains any other end. */
export function signOut(): void {
  signingOut = true;
  // Clears the tokens and calls the subscribers before it returns.
  leaving = session.logout().finally(() => {
    leaving = undefined;
  });
  signingOut = false;
}

/**
 * Returns a log-out that waits for the server's answer. A sign-in must wait for it, because the
 * answer would remove the next person's cookie.
 */
export const signOutUnderWay = () => leaving;

/** True only for subscribers that are called by `signOut`. */
export const isSigningOut = () => signingOut;

export function useSessionState() {
  return useSyncExternalStore(session.subscribe, session.getState);
}
