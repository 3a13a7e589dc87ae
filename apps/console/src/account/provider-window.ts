/**
 * The provider's window notifies the opening window through this channel, because `window.opener`
 * is cut during the redirects.
 */
const CHANNEL = "musette.reauthenticated";

export function notifyReauthenticated(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(true);
  channel.close();
}

/** Calls `listener` when a provider window has finished. Returns a function that unsubscribes. */
export function onReauthenticated(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = listener;
  return () => channel.close();
}
