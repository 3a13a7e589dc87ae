// The storage may be blocked or full. The console then works, but loses its state on reload.

/** Local storage or session storage. */
type Area = "localStorage" | "sessionStorage";

export function readStored(key: string, area: Area = "localStorage"): string | undefined {
  try {
    return globalThis[area].getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

export function writeStored(
  key: string,
  value: string | undefined,
  area: Area = "localStorage",
): void {
  try {
    if (value === undefined) globalThis[area].removeItem(key);
    else globalThis[area].setItem(key, value);
  } catch {
    // Blocked or full.
  }
}

/** Returns the rest of each key that starts with `prefix`. */
export function storedKeys(prefix: string): readonly string[] {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
    return keys.map((key) => key.slice(prefix.length));
  } catch {
    return [];
  }
}

/** A value in the browser's storage, which survives a reload. */
export interface StoredValue<T> {
  readonly read: () => T | undefined;
  /** Undefined removes it. */
  readonly write: (value: T | undefined) => void;
}

/** `check` returns undefined for a value that this version would not have written. */
export function storedValue<T>(
  key: string,
  check: (value: unknown) => T | undefined,
  area?: Area,
): StoredValue<T> {
  return {
    read() {
      try {
        return check(JSON.parse(readStored(key, area) ?? "null"));
      } catch {
        return undefined;
      }
    },
    write: (value) => writeStored(key, value && JSON.stringify(value), area),
  };
}
