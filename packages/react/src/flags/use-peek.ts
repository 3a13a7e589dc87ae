import type { FlagClient, FlagKey, Peeked } from "@musette/client/flags";
import { useCallback, useEffect, useRef, useSyncExternalStore } from "react";
import { useFlags } from "./provider";

/** Options of the hooks that read a flag. */
export interface ReadOptions {
  /** Lets the nearest <Suspense> wait for the first value. Default: that of the provider. */
  readonly suspense?: boolean | undefined;
  /** `false` reads the flag without reporting the user as a participant. Default `true`. */
  readonly expose?: boolean | undefined;
}

/** Subscribes to one flag and returns its result; undefined while there is none. */
export function usePeek(key: FlagKey, options: ReadOptions = {}): Peeked | undefined {
  const { client, first, suspense } = useFlags();
  const { expose = true } = options;
  const wasMounted = useRef(false);

  const peeked = useSyncExternalStore(
    useCallback((changed) => client?.subscribe([key], changed) ?? noop, [client, key]),
    () => (client ?? first).peek(key),
    () => first.peek(key),
  );

  // Never suspends after the first mount, because a change of user must not hide the content.
  const suspends = !peeked && !wasMounted.current && (options.suspense ?? suspense);
  if (client && suspends) throwPromise(client, key);

  useEffect(() => {
    wasMounted.current = true;
    // In an effect, because a render that React discards was not on the screen.
    if (expose && peeked && peeked.status !== "fallback") client?.reportExposure(key);
  }, [client, key, expose, peeked]);

  return peeked;
}

const noop = () => {};

/** The pending promises by client and key. Null after a wait that ended without a value. */
const promisesByClient = new WeakMap<FlagClient, Map<string, Promise<void> | null>>();

function throwPromise(client: FlagClient, key: FlagKey): void {
  // During hydration the first render has no value, even if the client already has one.
  if (client.peek(key)) return;
  const promises = promisesByClient.get(client) ?? new Map<string, Promise<void> | null>();
  promisesByClient.set(client, promises);
  let promise = promises.get(key);
  if (promise === undefined) {
    // Subscribes here, because a suspended component is not mounted and has no subscription.
    const stop = client.subscribe([key], noop);
    promise = client.ready([key]).then(() => {
      if (client.peek(key)) promises.delete(key);
      else promises.set(key, null);
      // Delayed until React has mounted the component and subscribed.
      setTimeout(stop, 1_000);
    });
    promises.set(key, promise);
  }
  // React 18 and 19 both suspend on a thrown promise.
  if (promise) throw promise;
}
