import type { FromFrame } from "./messages";

/** Nothing in these messages is secret, and the frame does not know who holds it. */
export function post(message: FromFrame): void {
  parent.postMessage(message, "*");
}
