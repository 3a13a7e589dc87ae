/** `DE`, `DE-BE`, `DE-BE.berlin`. The server knows which countries and subdivisions exist. */
export const MARKET_CODE =
  /^[A-Z]{2}(?:-[A-Z0-9]{1,3})?(?:\.[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)?$/;

export const isMarketCode = (text: string): boolean => MARKET_CODE.test(text);

/** Returns the markets that contain a market, from the country down. */
export function marketsAround(code: string): readonly string[] {
  const [country = "", subdivision] = code.split(".")[0]?.split("-") ?? [];
  const all = [country, ...(subdivision ? [`${country}-${subdivision}`] : [])];
  return all.filter((market) => market !== code);
}

/** Returns the browser's name for a country; undefined for any other code. */
export function countryName(code: string, language: string): string | undefined {
  if (!/^[A-Z]{2}$/.test(code)) return undefined;
  try {
    return new Intl.DisplayNames([language], { type: "region" }).of(code);
  } catch {
    return undefined;
  }
}
