import type { Schema } from "@musette/client/api";
import { HttpError, requestJson } from "@musette/client/http";
import { isOffline } from "@musette/client/terms";
import { useSyncExternalStore } from "react";
import { session } from "../session/session";
import { readStored, writeStored } from "../storage/storage";

/** Openings that the server has not confirmed, and those of this page. */
const KEY = "musette.openings";
const WAITING_MAX = 200;
/** An older opening is no longer sent. */
const LIFETIME_MS = 90 * 24 * 3600_000;

type OpeningBody = Schema<"OpeningBody">;

/** A notice that was drawn on the screen of this phone. */
interface Opening extends OpeningBody {
  readonly userId: string;
  readonly id: number;
}

const listeners = new Set<() => void>();
/** Confirmed openings stay here, because a list that was fetched before still says "unread". */
const openedOnPage = new Set<string>();
const nameOf = (userId: string, id: number) => `${id} ${userId}`;

function waiting(): readonly Opening[] {
  try {
    const stored: unknown = JSON.parse(readStored("localStorage", KEY) ?? "[]");
    if (!Array.isArray(stored)) return [];
    const oldest = Date.now() - LIFETIME_MS;
    return (stored as Opening[]).filter(({ opened_at }) => Date.parse(opened_at) > oldest);
  } catch {
    return [];
  }
}

function storeWaiting(openings: readonly Opening[]): void {
  const text = openings.length > 0 ? JSON.stringify(openings.slice(-WAITING_MAX)) : undefined;
  writeStored("localStorage", KEY, text);
}

function remove({ userId, id }: Opening): void {
  storeWaiting(waiting().filter((other) => other.userId !== userId || other.id !== id));
}

/** Whether the notice was opened on this phone, even if the server does not know it yet. */
export function isOpenedHere(userId: string, id: number): boolean {
  if (openedOnPage.has(nameOf(userId, id))) return true;
  return waiting().some((opening) => opening.userId === userId && opening.id === id);
}

/** Rerenders when a notice is opened on this page. */
export function useOpenings(): number {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => openedOnPage.size,
  );
}

/**
 * Records that a page or the text of a notice was drawn. It is stored before it is sent: there may
 * be no network, or this page may be closed before the answer arrives.
 */
export function recordOpening(userId: string, id: number, opening: Omit<OpeningBody, "opened_at">) {
  if (isOpenedHere(userId, id)) return;
  openedOnPage.add(nameOf(userId, id));
  const opened_at = new Date().toISOString();
  storeWaiting([...waiting(), { ...opening, opened_at, userId, id }]);
  for (const listener of listeners) listener();
  void sendOpenings();
}

/** Whether the server will answer this opening in the same way each time. */
const isFinal = ({ status }: Response) => [400, 404, 409, 410, 422].includes(status);

async function send(opening: Opening): Promise<void> {
  const { userId, id, ...body } = opening;
  const post = (body: OpeningBody) =>
    requestJson<unknown>(
      session.fetch,
      `/api/rooster/v3/riders/${encodeURIComponent(userId)}/notices/${id}/openings`,
      {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      },
    );
  try {
    await post(body).catch((error: unknown) => {
      // The clock of the phone is ahead: the server's time is the latest possible one.
      const isAhead = error instanceof HttpError && error.problem?.code === "opened_at_in_future";
      const now = isAhead && Date.parse(error.response.headers.get("date") ?? "");
      if (!now) throw error;
      return post({ ...body, opened_at: new Date(now).toISOString() });
    });
    remove(opening);
  } catch (error) {
    if (!(error instanceof HttpError && isFinal(error.response))) throw error;
    remove(opening);
  }
}

let sending = false;

/** Sends the waiting openings of the signed-in rider. Others wait until their rider signs in. */
export async function sendOpenings(): Promise<void> {
  const { userId } = session.getState();
  if (sending || userId === undefined || isOffline()) return;
  sending = true;
  try {
    for (const opening of waiting()) if (opening.userId === userId) await send(opening);
  } catch {
    // No answer: sent again on the next return.
  } finally {
    sending = false;
  }
}

/** Sends waiting openings when the app is opened, comes to the front, or has a network again. */
export function startSendingOpenings(): void {
  const send = () => void sendOpenings();
  addEventListener("online", send);
  addEventListener("pageshow", send);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") send();
  });
  session.subscribe(send);
  send();
}
