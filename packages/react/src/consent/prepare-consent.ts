/**
 * Fetches what the screen needs from the first tick on, before it is drawn. Call it where the screen is about to be
 * shown: it then comes while the list is drawn, and not in front of it. Never rejects.
 */
export async function prepareConsent(): Promise<void> {
  await import("./deferred").catch(() => undefined);
}
