// A browser may forbid storage or have it full. Then the app works on, and only forgets earlier.

export function readStored(storage: Storage, key: string): string | undefined {
  try {
    return storage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

export function writeStored(storage: Storage, key: string, value: string | undefined): void {
  try {
    if (value === undefined) storage.removeItem(key);
    else storage.setItem(key, value);
  } catch {
    // See above: nothing that the person could do, and nothing that must not be lost.
  }
}
