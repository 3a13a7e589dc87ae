import type { Schema } from "@musette/client/api";
import { useEffect, useSyncExternalStore } from "react";
import { session, useUserId } from "./session";

type NewTokens = Pick<Schema<"Tokens">, "dhhToken"> & { readonly refreshToken?: string | null };

const listeners = new Set<() => void>();
/** What must end before the rider's session does, such as push messages. */
let endBefore: () => Promise<unknown> | undefined = () => undefined;
/** The user whose pages this tab shows; undefined before a sign-in. */
let shownUser: string | undefined;

function show(userId: string | undefined): void {
  if (shownUser === userId) return;
  shownUser = userId;
  for (const listener of listeners) listener();
}

function onShown(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Signs in from a page of this tab. */
export function enterSession({ dhhToken, refreshToken }: NewTokens): void {
  show(undefined);
  session.setTokens({ dhhToken, ...(refreshToken && { refreshToken }) });
}

export function beforeLeaving(end: typeof endBefore): void {
  endBefore = end;
}

/** Signs out from a page of this tab. */
export function leaveSession(): void {
  const leave = () => {
    show(undefined);
    session.logout();
  };
  // The rider's session may delete the subscription, and no other session.
  if (!endBefore()?.then(leave, leave)) leave();
}

/** Shows the pages of this user, who signed in in another tab, from now on. */
export const confirmUser = show;

/**
 * Returns the user if they signed in in another tab after this one had shown the pages of another
 * user. A page must not change to them silently: a decision would be recorded for the wrong person.
 */
export function useUnconfirmedUser(): string | undefined {
  const userId = useUserId();
  const shown = useSyncExternalStore(onShown, () => shownUser);
  useEffect(() => {
    if (shown === undefined) show(userId);
  }, [shown, userId]);
  return shown !== undefined && userId !== undefined && userId !== shown ? userId : undefined;
}
