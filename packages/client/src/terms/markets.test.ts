import { describe, expect, it } from "vitest";
import { fetchMarkets, marketName } from "./markets";

it("fetches the markets of the given type and marketing", async () => {
  const offered = { markets: ["DE", "UY.montevideo"], names: { "UY.montevideo": "Montevideo" } };
  const urls: string[] = [];
  const fetch = async (input: RequestInfo | URL) => {
    urls.push(String(input));
    return Response.json(offered);
  };
  expect(await fetchMarkets({ termsType: "COURIER" }, { fetch })).toEqual(offered);
  expect(urls).toEqual(["/api/rooster/v3/public/markets?types=COURIER,MARKETING"]);
});

describe("marketName", () => {
  it.each([
    ["DE", "en", "Germany"],
    ["DE", "ar", "ألمانيا"],
    ["DE-BE", "de", "Deutschland (BE)"],
    ["IE.port-merrow", "en", "Port Merrow, Ireland"],
    ["IE.port-merrow", "ar", "Port Merrow، أيرلندا"],
    ["DE-BE.berlin", "en", "Berlin, Germany (BE)"],
    ["??", "en", "??"],
  ])("%s in %s", (code, locale, name) => {
    expect(marketName(code, locale)).toBe(name);
  });

  const names = { "DE-BE": "Berlin", "DE-BE.kiez": "Kreuzberg", "DE-BE.city": "Berlin", DE: "D" };

  it.each([
    ["DE", "en", "Germany"],
    ["DE-BE", "fr", "Berlin, Allemagne"],
    ["DE-BY", "en", "Germany (BY)"],
    ["DE-BE.kiez", "en", "Kreuzberg, Berlin, Germany"],
    ["DE-BE.kiez", "ar", "Kreuzberg، Berlin، ألمانيا"],
    ["DE-BE.city", "en", "Berlin, Germany"],
  ])("%s in %s, with the names of the company", (code, locale, name) => {
    expect(marketName(code, locale, names)).toBe(name);
  });
});
