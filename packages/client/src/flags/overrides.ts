import type { FlagOverrides, FlagResult, FlagValue, Peeked } from "./flag-client";
import type { JsonStorage } from "./storage";
import { plainResult } from "./wire";

const KEY = "musette_flag_overrides";

export interface Overrides extends FlagOverrides {
  /** The overrides read so far. Empty before the first call of `list`. */
  readonly all: ReadonlyMap<string, Peeked & { readonly result: FlagResult }>;
}

/** Creates the store of values that a developer sets on this device. They override the service. */
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
