/**
 * Returns the locale for dates. `en` alone means US formats, so English uses the region of this
 * browser.
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
