import { createSession } from "@musette/client/session";
import { useSyncExternalStore } from "react";
import { fetchKeepingLogOuts, LOGOUT_URL } from "./log-out";

const listeners = new Set<() => void>();
let ended = false;

/**
 * The session. It is kept alive no matter how it was opened: by the sign-in here, the host's app or
 * the demonstration.
 */
export const session = createSession({
  refreshUrl: "/api/session/v1/refresh",
  logoutUrl: LOGOUT_URL,
  fetch: fetchKeepingLogOuts,
  // A missing permission is not a reason to sign a rider out.
  on403: "reject",
  onLogout({ final }) {
    // A missing answer does not end the session: it continues by itself, and the shell says so.
    if (final) setEnded(true);
  },
});

session.subscribe(() => {
  if (session.getState().userId !== undefined) setEnded(false);
});

function setEnded(now: boolean): void {
  if (ended === now) return;
  ended = now;
  for (const listener of listeners) listener();
}

function onEnded(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useUserId(): string | undefined {
  return useSyncExternalStore(session.subscribe, () => session.getState().userId);
}

/** Whether the user is still signed in, but the request for a new token has no answer. */
export function useSuspended(): boolean {
  return useSyncExternalStore(session.subscribe, () => session.getState().status === "suspended");
}

/** Whether the session was ended by something else than signing out in this tab. */
export function useEnded(): boolean {
  return useSyncExternalStore(onEnded, () => ended);
}
