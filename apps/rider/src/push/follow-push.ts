import type { Schema } from "@musette/client/api";
import { requestJson } from "@musette/client/http";
import { isOffline } from "@musette/client/terms";
import { session } from "../session/session";
import { browserId, choiceOf, sentSubscription, storeChoice, storeSent } from "./push-choices";
import { storePushOwner } from "./push-owner";
import { activeRegistration, currentSubscription, keyBytes, pushPermission } from "./push-support";

/** A subscription is sent again after this time, because the server may have lost it. */
const RESEND_AFTER_MS = 24 * 3600_000;
/** A sign-out waits no longer than this for the server. */
const LEAVE_MS = 1_500;

const LOCK = "musette.push";

/** Runs one change at a time, of all tabs. */
async function oneAtATime<T>(change: () => Promise<T>): Promise<T> {
  return navigator.locks ? await navigator.locks.request(LOCK, change) : await change();
}

const subscriptionUrl = (userId: string) =>
  `/api/rooster/v3/riders/${encodeURIComponent(userId)}/push-subscriptions/${browserId()}`;

/**
 * Asks for the browser's permission and subscribes. Must be called in the handler of a tap: some
 * browsers ask only then. Returns whether push messages are on.
 */
export async function turnOnPush(userId: string): Promise<boolean> {
  const permission = await Notification.requestPermission();
  if (permission !== "granted") {
    storeChoice(userId, "off");
    return false;
  }
  await oneAtATime(() => subscribe(userId));
  storeChoice(userId, "on");
  startFollowing();
  return true;
}

/** Turns push messages off on this device, and does not ask again. */
export async function turnOffPush(userId: string): Promise<void> {
  storeChoice(userId, "off");
  await oneAtATime(unsubscribe);
}

/** Keeps that the rider does not want push messages on this device. */
export const refusePush = (userId: string): void => storeChoice(userId, "off");

/** Whether this device shows the rider's push messages. */
export function isPushOn(userId: string): boolean {
  return pushPermission() === "granted" && sentSubscription()?.userId === userId;
}

async function subscribe(userId: string): Promise<void> {
  if (sentSubscription() && sentSubscription()?.userId !== userId) await unsubscribe();
  const { pushManager } = await activeRegistration();
  const { key } = await requestJson<Schema<"PushKey">>(fetch, "/api/rooster/v3/public/push-key");
  const options = { userVisibleOnly: true, applicationServerKey: keyBytes(key) };
  const subscription = await pushManager.subscribe(options).catch(async (error: unknown) => {
    // The browser has a subscription for another key, for example of an earlier installation.
    const former = await pushManager.getSubscription();
    if (!(await former?.unsubscribe())) throw error;
    return await pushManager.subscribe(options);
  });
  await send(userId, subscription);
}

async function send(userId: string, subscription: PushSubscription): Promise<void> {
  const { endpoint } = subscription;
  // Kept first: if the answer is lost, the server may have it, and a sign-out must remove it.
  storeSent({ userId, endpoint, at: 0 });
  await storePushOwner(userId);
  try {
    await session.fetch(subscriptionUrl(userId), {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(subscription),
    });
  } catch (error) {
    await unsubscribe();
    throw error;
  }
  storeSent({ userId, endpoint, at: Date.now() });
}

/**
 * Ends the subscription at the push service and at the server. The push service then refuses
 * messages, and the server deletes a subscription that is refused, so one of the two is enough.
 */
async function unsubscribe(): Promise<void> {
  const former = sentSubscription();
  const ended = currentSubscription().then((subscription) => subscription?.unsubscribe());
  const deleted = former ? deleteAtServer(former.userId) : undefined;
  const outcomes = await Promise.allSettled([ended, deleted]);
  const failed = outcomes.filter((outcome) => outcome.status === "rejected");
  if (failed.length === outcomes.length) throw failed[0]?.reason;
  storeSent(undefined);
  await storePushOwner(undefined);
}

/** Rejects if it cannot: only the rider's own session may delete it. */
async function deleteAtServer(userId: string): Promise<void> {
  if (session.getState().userId !== userId) throw new Error("Another rider is signed in.");
  await session.fetch(subscriptionUrl(userId), { method: "DELETE" });
}

/** Ends the push messages before a sign-out, which takes the right to delete the subscription. */
export async function leavePush(): Promise<void> {
  if (!sentSubscription()) return;
  const late = new Promise<void>((done) => setTimeout(done, LEAVE_MS));
  await Promise.race([oneAtATime(unsubscribe).catch(() => undefined), late]);
}

/**
 * Removes the subscription of a rider who is no longer signed in, and renews that of the rider who
 * is. A rider who turned push messages on has them again after the next sign-in.
 */
export async function followUser(): Promise<void> {
  await oneAtATime(async () => {
    const { userId } = session.getState();
    const former = sentSubscription();
    if (former && former.userId !== userId) await unsubscribe();
    if (userId === undefined || choiceOf(userId) !== "on" || isOffline()) return;
    if (pushPermission() !== "granted") return;
    const endpoint = (await currentSubscription())?.endpoint;
    const current = sentSubscription();
    const isKnown = endpoint !== undefined && endpoint === current?.endpoint;
    if (!isKnown || Date.now() - current.at > RESEND_AFTER_MS) await subscribe(userId);
  });
}

let following = false;

/** Follows the session from now on. */
export function startFollowing(): void {
  if (following) return;
  following = true;
  // Without an answer, the next change of the session tries again.
  const follow = () => void followUser().catch(() => undefined);
  session.subscribe(follow);
  addEventListener("online", follow);
  // The host's app may have signed another person in.
  addEventListener("pageshow", follow);
  document.addEventListener("visibilitychange", follow);
  follow();
}
