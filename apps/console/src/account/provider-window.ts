/** The provider's window tells the one that opened it by this channel: its own link to it is cut on the way. */
const CHANNEL = "musette.reauthenticated";

export function tellReauthenticated(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(true);
  channel.close();
}

/** Calls when a window of the provider has come back, until the returned function is called. */
export function onReauthenticated(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = listener;
  return () => channel.close();
}
