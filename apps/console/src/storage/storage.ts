// A browser may forbid storage or have it full. Then the console works on, and only forgets earlier.

/** Of this browser, or of this tab and this visit only. */
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
    // See above.
  }
}

/** What follows `prefix` in the keys that begin with it. */
export function storedAfter(prefix: string): readonly string[] {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
    return keys.map((key) => key.slice(prefix.length));
  } catch {
    return [];
  }
}

/** A value that outlives a reload. */
export interface Kept<T> {
  readonly read: () => T | undefined;
  /** Undefined forgets it. */
  readonly write: (value: T | undefined) => void;
}

/** `check` gives undefined for what this version of the console would not have written. */
export function kept<T>(
  key: string,
  check: (value: unknown) => T | undefined,
  area?: Area,
): Kept<T> {
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
