import type { FlagCache } from "./flag-client";

/** Of this page only. */
export function memoryCache(): FlagCache {
  const values = new Map<string, unknown>();
  return {
    get: (key) => values.get(key),
    set: (key, value) => values.set(key, value),
    delete: (key) => values.delete(key),
    clear: () => values.clear(),
  };
}
