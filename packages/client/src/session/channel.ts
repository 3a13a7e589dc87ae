import type { Reason } from "./failure";
import type { Tokens } from "./tokens";

/** What the tabs of a session tell each other. */
export type Message =
  | { readonly tokens: Tokens }
  /** The token of the session that ended: a tab that has signed in again is not meant. */
  | { readonly ended: string; readonly reason: Reason };

/** Messages between the tabs of one origin. */
export interface Channel {
  post(message: Message): void;
  listen(hear: (message: Message) => void): void;
  close(): void;
}

export function browserChannel(): Channel {
  // Node has it too, where an open channel would keep the process alive.
  if (!globalThis.document || !globalThis.BroadcastChannel) {
    return { post() {}, listen() {}, close() {} };
  }
  const channel = new BroadcastChannel("musette.session");
  return {
    post: (message) => channel.postMessage(message),
    listen(hear) {
      channel.onmessage = (event) => hear(event.data);
    },
    close: () => channel.close(),
  };
}
