interface Listener {
  /** Empty for a listener of every flag. */
  readonly keys: ReadonlySet<string>;
  readonly run: () => void;
}

export type Subscriptions = ReturnType<typeof createSubscriptions>;

/** Creates the list of subscribed flags with the number of subscriptions, and the listeners. */
export function createSubscriptions(always: readonly string[]) {
  const counts = new Map<string, number>();
  const listeners = new Set<Listener>();
  const count = (keys: Iterable<string>, step: 1 | -1) => {
    for (const key of keys) {
      const after = (counts.get(key) ?? 0) + step;
      if (after > 0) counts.set(key, after);
      else counts.delete(key);
    }
  };
  count(always, 1);
  return {
    has: (key: string) => counts.has(key),
    /** Returns the keys in sorted order, so that the same set has the same ETag. */
    list: () => [...counts.keys()].sort(),
    add(keys: readonly string[], run: () => void): () => void {
      const listener = { keys: new Set(keys), run };
      count(listener.keys, 1);
      listeners.add(listener);
      return () => {
        if (listeners.delete(listener)) count(listener.keys, -1);
      };
    },
    notify(changed: readonly string[]) {
      for (const listener of listeners) {
        if (listener.keys.size && !changed.some((key) => listener.keys.has(key))) continue;
        // In a microtask, so that an error of a listener appears in the console and does not stop the client.
        queueMicrotask(() => listeners.has(listener) && listener.run());
      }
    },
  };
}
