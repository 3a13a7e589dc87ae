/**
 * Prefetches the code that the consent screen needs from the first tick on. Call it shortly before you show the
 * screen: the code then loads while the list renders, and does not delay it. Never rejects.
 *
 * @example
 * <a href="/apply" onPointerEnter={() => void prepareConsent()}>Apply</a>
 */
export async function prepareConsent(): Promise<void> {
  await import("./deferred").catch(() => undefined);
}
