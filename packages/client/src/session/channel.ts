import type { Reason } from "./failure";
import type { Tokens } from "./tokens";

/** A message between the tabs of a session. */
export type Message =
  | { readonly tokens: Tokens }
  /** The token of the session that ended. A tab that has signed in again ignores the message. */
  | { readonly ended: string; readonly reason: Reason };

/** Messages between the tabs of one origin. */
export interface Channel {
  post(message: Message): void;
  listen(onMessage: (message: Message) => void): void;
  close(): void;
}

export function browserChannel(): Channel {
  // Node also has BroadcastChannel, but an open channel would keep the process alive.
  if (!globalThis.document || !globalThis.BroadcastChannel) {
    return { post() {}, listen() {}, close() {} };
  }
  const channel = new BroadcastChannel("musette.session");
  return {
    post: (message) => channel.postMessage(message),
    listen(onMessage) {
      channel.onmessage = (event) => onMessage(event.data);
    },
    close: () => channel.close(),
  };
}
