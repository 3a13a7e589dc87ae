import { createSession } from "@musette/client/session";
import { useSyncExternalStore } from "react";
import { fetchKeepingLogOuts, LOGOUT_URL } from "./log-out";

const listeners = new Set<() => void>();
let ended = false;

/** Keeps the session alive, whoever opened it: the sign-in here, the host's app, the demonstration. */
export const session = createSession({
  refreshUrl: "/api/session/v1/refresh",
  logoutUrl: LOGOUT_URL,
  fetch: fetchKeepingLogOuts,
  // A missing permission is no reason to sign a rider out.
  on403: "reject",
  onLogout({ final }) {
    // No answer for now is no end: the session goes on by itself, and the shell says so.
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

/** Still signed in, but there is no answer to the wish for a new token. */
export function useSuspended(): boolean {
  return useSyncExternalStore(session.subscribe, () => session.getState().status === "suspended");
}

/** The session was ended, and not by signing out in this tab. */
export function useEnded(): boolean {
  return useSyncExternalStore(onEnded, () => ended);
}
