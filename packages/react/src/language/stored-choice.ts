// The applications of one origin share it: whoever reads one of them in Arabic reads all so.
const KEY = "musette.language";

/** The tag that was chosen on this device; undefined where there is none or storage is blocked. */
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
    // Blocked or full: the choice lasts as long as the page.
  }
}
