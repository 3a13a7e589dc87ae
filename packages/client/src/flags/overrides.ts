import type { FlagResult, FlagValue, Peeked } from "./flag-client";
import type { Keep } from "./keep";
import { plainResult } from "./wire";

const KEY = "musette_flag_overrides";

/** What a developer set on this device, whatever the service says. */
export function createOverrides(keep: Keep, changed: (keys: readonly string[]) => void) {
  let values = (keep(KEY) ?? {}) as Record<string, FlagValue>;
  const peeked = new Map<string, Peeked & { readonly result: FlagResult }>();

  function adopt() {
    peeked.clear();
    for (const [key, value] of Object.entries(values)) {
      const result = plainResult("OVERRIDE", "client:override", value);
      peeked.set(key, { result, status: "fresh" });
    }
  }
  adopt();

  function change(next: typeof values) {
    const keys = Object.keys({ ...values, ...next });
    values = next;
    adopt();
    keep(KEY, next);
    changed(keys);
  }

  return {
    all: peeked,
    api: {
      set: (key: string, value: FlagValue) => change({ ...values, [key]: value }),
      clear(key?: string) {
        const { [key ?? ""]: _, ...rest } = key === undefined ? {} : values;
        change(rest);
      },
      list: () => values,
    },
  };
}
