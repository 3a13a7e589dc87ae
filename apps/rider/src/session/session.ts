import { createSession } from "@musette/client/session";
import { useSyncExternalStore } from "react";

/** The host's app, or the demonstration, signs in; this keeps that session alive and gives it back. */
export const session = createSession({
  refreshUrl: "/api/session/v1/refresh",
  logoutUrl: "/api/session/v1/logout",
  // A missing permission is no reason to sign a rider out.
  on403: "reject",
  // Nothing to do here: the tokens are forgotten by then, and the pages follow `useUserId`.
  onLogout: () => undefined,
});

export function useUserId(): string | undefined {
  return useSyncExternalStore(session.subscribe, () => session.getState().userId);
}
