import type { Fetch } from "@musette/client/http";
import { isOffline } from "@musette/client/terms";
import { useSyncExternalStore } from "react";
import { readStored, writeStored } from "../storage/storage";

export const LOGOUT_URL = "/api/session/v1/logout";

/** Refresh tokens of sessions whose user signed out and whose end the server has not confirmed. */
const KEY = "musette.logOuts";
/** More people than this are unlikely to sign out on one phone before it has a network. */
const WAITING_MAX = 20;

const listeners = new Set<() => void>();
let leftOpen = false;

function waiting(): readonly string[] {
  try {
    const bodies: unknown = JSON.parse(readStored("localStorage", KEY) ?? "[]");
    return Array.isArray(bodies) ? bodies.filter((body) => typeof body === "string") : [];
  } catch {
    return [];
  }
}

function storeWaiting(bodies: readonly string[]): void {
  const text = bodies.length > 0 ? JSON.stringify(bodies.slice(-WAITING_MAX)) : undefined;
  writeStored("localStorage", KEY, text);
}

const removeWaiting = (body: string) => storeWaiting(waiting().filter((other) => other !== body));

/** Whether the answer means that the session has ended, or that the server does not know this token. */
const hasEnded = ({ ok, status }: Response) =>
  ok || (status >= 400 && status < 500 && status !== 408 && status !== 429);

/**
 * Keeps a log-out until the server has answered it. Otherwise, without a network, it would be sent
 * only once, and the session would stay open. It keeps only the body, with the refresh token that
 * ends this session. Every other request is passed through.
 */
export const fetchKeepingLogOuts: Fetch = async (input, init) => {
  if (input !== LOGOUT_URL) return fetch(input, init);
  const { body } = init ?? {};
  if (typeof body === "string") return sendKept(body, init);
  setLeftOpen(false);
  try {
    const response = await fetch(input, init);
    if (!hasEnded(response)) setLeftOpen(true);
    return response;
  } catch (error) {
    // A host keeps the refresh token in a cookie that no script can read. Sent later, it could be
    // the next person's.
    setLeftOpen(true);
    throw error;
  }
};

async function sendKept(body: string, init: RequestInit | undefined): Promise<Response> {
  // Stored before it is sent: this page may be closed before the answer arrives.
  storeWaiting([...waiting(), body]);
  const response = await fetch(LOGOUT_URL, init);
  if (hasEnded(response)) removeWaiting(body);
  return response;
}

let sending = false;

/** Sends the waiting log-outs, without any credentials of the current user. */
async function sendLogOuts(): Promise<void> {
  if (sending || isOffline()) return;
  sending = true;
  try {
    for (const body of waiting()) {
      const response = await fetch(LOGOUT_URL, {
        method: "POST",
        // Does not send the cookies of the next person, and ignores the answer, which would remove
        // them.
        credentials: "omit",
        headers: { "Content-Type": "application/json" },
        body,
      });
      if (hasEnded(response)) removeWaiting(body);
    }
  } catch {
    // No answer: sent again on the next return.
  } finally {
    sending = false;
  }
}

/** Sends waiting log-outs when the app is opened, comes to the front, or has a network again. */
export function startSendingLogOuts(): void {
  const send = () => void sendLogOuts();
  addEventListener("online", send);
  addEventListener("pageshow", send);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") send();
  });
  send();
}

function setLeftOpen(now: boolean): void {
  if (leftOpen === now) return;
  leftOpen = now;
  for (const listener of listeners) listener();
}

function onLeftOpen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the last log-out on this page did not reach the server and will not be sent again. */
export function useLeftOpen(): boolean {
  return useSyncExternalStore(onLeftOpen, () => leftOpen);
}
