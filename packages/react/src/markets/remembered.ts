// Stored only until the applicant has agreed, because the next applicant on this device may work elsewhere.
const KEY = "musette.market";

/** Returns the stored choice: empty for "somewhere else", undefined if there is none or storage is blocked. */
export function rememberedMarket(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

export function rememberMarket(code: string): void {
  try {
    localStorage.setItem(KEY, code);
  } catch {
    // Storage is blocked or full, so the choice applies to this page only.
  }
}

/** Removes the stored market. Call it after the applicant has agreed, so that the next applicant is asked again. */
export function forgetMarket(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Storage is blocked, so there is nothing to remove.
  }
}
