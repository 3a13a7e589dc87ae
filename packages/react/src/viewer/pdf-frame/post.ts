import type { FromFrame } from "./messages";

/** Any target origin: these messages hold no secret, and the frame does not know its parent. */
export function post(message: FromFrame): void {
  parent.postMessage(message, "*");
}
