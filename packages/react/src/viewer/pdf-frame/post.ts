import type { FromFrame } from "./messages";

/** Sends a message to the page. To any origin, because it contains no secret and the frame does not know the page. */
export function post(message: FromFrame): void {
  parent.postMessage(message, "*");
}
