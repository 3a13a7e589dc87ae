// All applications of an origin share this key, so that a choice applies to all of them.
const KEY = "musette.language";

/** Returns the stored language tag; undefined if there is none or storage is blocked. */
export function storedChoice(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

export function storeChoice(tag: string): void {
  try {
    localStorage.setItem(KEY, tag);
  } catch {
    // Storage is blocked or full, so the choice applies to this page only.
  }
}
