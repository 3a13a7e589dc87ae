import type { FlagClient, FlagKey, Peeked } from "@musette/client/flags";
import { useCallback, useEffect, useRef, useSyncExternalStore } from "react";
import { useFlags } from "./provider";

/** Options of the hooks that read a flag. */
export interface ReadOptions {
  /** Overrules that of the provider. */
  readonly suspense?: boolean | undefined;
  /** `false`: the answer is only read, and whoever reads it does not count as a participant yet. */
  readonly expose?: boolean | undefined;
}

/** One flag, followed. Undefined while nothing is known. */
export function usePeek(key: FlagKey, options: ReadOptions = {}): Peeked | undefined {
  const { client, first, suspense } = useFlags();
  const { expose = true } = options;
  const shown = useRef(false);

  const peeked = useSyncExternalStore(
    useCallback((changed) => client?.subscribe([key], changed) ?? nothing, [client, key]),
    () => (client ?? first).peek(key),
    () => first.peek(key),
  );

  // Never once something is on the screen: a change of person must not blank it.
  const waits = !peeked && !shown.current && (options.suspense ?? suspense);
  if (client && waits) wait(client, key);

  useEffect(() => {
    shown.current = true;
    // In an effect: what React rendered and threw away was not on the screen.
    if (expose && peeked && peeked.status !== "fallback") client?.reportExposure(key);
  }, [client, key, expose, peeked]);

  return peeked;
}

const nothing = () => {};

/** What is being waited for, by client. Null: waited for already, and nothing came. */
const waiting = new WeakMap<FlagClient, Map<string, Promise<void> | null>>();

function wait(client: FlagClient, key: FlagKey): void {
  // While a page is hydrated the first picture goes on to be empty when the answer is there.
  if (client.peek(key)) return;
  const waits = waiting.get(client) ?? new Map<string, Promise<void> | null>();
  waiting.set(client, waits);
  let promise = waits.get(key);
  if (promise === undefined) {
    // A component that waits has not been mounted, so nobody is subscribed on its behalf.
    const stop = client.subscribe([key], nothing);
    promise = client.ready([key]).then(() => {
      if (client.peek(key)) waits.delete(key);
      else waits.set(key, null);
      // Not before React has drawn it and subscribed by itself.
      setTimeout(stop, 1_000);
    });
    waits.set(key, promise);
  }
  // A promise is what React 18 and 19 both wait for when it is thrown.
  if (promise) throw promise;
}
