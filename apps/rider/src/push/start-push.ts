import { readStored } from "../storage/storage";
import { PUSH_KEY } from "./push-key";

// In the first chunk, which is small: the rest is loaded only on a device whose rider was asked.
const load = () => (readStored("localStorage", PUSH_KEY) ? import("./follow-push") : undefined);

/** Ends the push messages of a rider who signs out. Undefined if nothing is to be done. */
export const endPush = () => load()?.then(({ leavePush }) => leavePush());

/** Keeps the subscription of this device that of the signed-in rider. */
export const startPush = () => load()?.then(({ startFollowing }) => startFollowing());
