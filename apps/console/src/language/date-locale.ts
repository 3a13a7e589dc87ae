/**
 * Returns the locale for dates. `en` alone means US formats, so English uses the region of this
 * browser.
 */
export function dateLocale(
  language: string,
  browser: readonly string[] = globalThis.navigator?.languages ?? [],
): string {
  if (language !== "en") return language;
  const english = browser.find((language) => /^en-/i.test(language));
  if (english) return english;
  const region = browser.map(regionOf).find((candidate) => candidate !== undefined);
  return region ? `en-${region}` : language;
}

function regionOf(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).region;
  } catch {
    return undefined;
  }
}
