interface Listener {
  /** All flags, where it has none. */
  readonly keys: ReadonlySet<string>;
  readonly run: () => void;
}

export type Subscriptions = ReturnType<typeof createSubscriptions>;

/** Which flags are kept, how often each was asked for, and who is to be told. */
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
    /** Sorted: the same list has the same ETag. */
    list: () => [...counts.keys()].sort(),
    add(keys: readonly string[], run: () => void): () => void {
      const listener = { keys: new Set(keys), run };
      count(listener.keys, 1);
      listeners.add(listener);
      return () => {
        if (listeners.delete(listener)) count(listener.keys, -1);
      };
    },
    tell(changed: readonly string[]) {
      for (const listener of listeners) {
        if (listener.keys.size && !changed.some((key) => listener.keys.has(key))) continue;
        // What a listener gets wrong shows in the console, and costs nobody their flags.
        queueMicrotask(() => listeners.has(listener) && listener.run());
      }
    },
  };
}
