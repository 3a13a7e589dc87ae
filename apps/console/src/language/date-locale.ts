/**
 * As whom dates are written. English is written differently in its regions, and `en` alone means the
 * American way: so English takes the region of this browser.
 */
export function dateLocale(
  language: string,
  browser: readonly string[] = globalThis.navigator?.languages ?? [],
): string {
  if (language !== "en") return language;
  const english = browser.find((it) => /^en-/i.test(it));
  if (english) return english;
  const region = browser.map(regionOf).find((it) => it !== undefined);
  return region ? `en-${region}` : language;
}

function regionOf(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).region;
  } catch {
    return undefined;
  }
}
