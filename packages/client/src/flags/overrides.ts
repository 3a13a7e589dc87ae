import type { FlagOverrides, FlagResult, FlagValue, Peeked } from "./flag-client";
import type { JsonStorage } from "./storage";
import { plainResult } from "./wire";

const KEY = "musette_flag_overrides";

export interface Overrides extends FlagOverrides {
  /** The overrides that have been read: none before `list` is first called. */
  readonly all: ReadonlyMap<string, Peeked & { readonly result: FlagResult }>;
}

/** Values that a developer sets on this device. They win over the service. */
export function createOverrides(
  storage: JsonStorage,
  notify: (keys: readonly string[]) => void,
): Overrides {
  let values: Record<string, FlagValue> | undefined;
  const all = new Map<string, Peeked & { readonly result: FlagResult }>();

  function replace(next: Record<string, FlagValue>) {
    all.clear();
    for (const key in next) {
      all.set(key, {
        result: plainResult("OVERRIDE", "client:override", next[key] as FlagValue),
        status: "fresh",
      });
    }
    notify(Object.keys({ ...values, ...next }));
    values = next;
    return next;
  }

  const list = () => values ?? replace((storage(KEY) ?? {}) as Record<string, FlagValue>);
  const change = (next: Record<string, FlagValue>) => storage(KEY, replace(next));

  return {
    all,
    list,
    set: (key: string, value: unknown) => change({ ...list(), [key]: value as FlagValue }),
    clear(key?: string) {
      const { [key as string]: _, ...rest } = key === undefined ? {} : list();
      change(rest);
    },
  };
}
