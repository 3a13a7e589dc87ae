// Remembered for this application only: the next applicant on this device may work elsewhere.
const KEY = "musette.market";

/** What was chosen; empty for somewhere else, undefined where nothing was or storage is blocked. */
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
    // Blocked or full: the choice lasts as long as the page.
  }
}

/** Call it when the applicant has agreed: the next one on this device is asked again. */
export function forgetMarket(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Then nothing was kept.
  }
}
