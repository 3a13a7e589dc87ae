import type { FlagOverrides, FlagResult, FlagValue, Peeked } from "./flag-client";
import type { Keep } from "./keep";
import { plainResult } from "./wire";

const KEY = "musette_flag_overrides";

export interface Overrides extends FlagOverrides {
  /** Those that are known by now: until somebody asks for the list, none. */
  readonly all: ReadonlyMap<string, Peeked & { readonly result: FlagResult }>;
}

/** What a developer set on this device, whatever the service says. */
export function createOverrides(keep: Keep, changed: (keys: readonly string[]) => void): Overrides {
  let values: Record<string, FlagValue> | undefined;
  const all = new Map<string, Peeked & { readonly result: FlagResult }>();

  function adopt(next: Record<string, FlagValue>) {
    all.clear();
    for (const key in next) {
      all.set(key, {
        result: plainResult("OVERRIDE", "client:override", next[key] as FlagValue),
        status: "fresh",
      });
    }
    changed(Object.keys({ ...values, ...next }));
    values = next;
    return next;
  }

  const list = () => values ?? adopt((keep(KEY) ?? {}) as Record<string, FlagValue>);
  const change = (next: Record<string, FlagValue>) => keep(KEY, adopt(next));

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
