import { describe, expect, it } from "vitest";
import { fetchMarkets, marketName } from "./markets";

it("asks for the markets of the types", async () => {
  const asked: string[] = [];
  const fetch = async (input: RequestInfo | URL) => {
    asked.push(String(input));
    return Response.json({ markets: ["DE", "UY.montevideo"] });
  };
  expect(await fetchMarkets({ termsType: "COURIER" }, { fetch })).toEqual(["DE", "UY.montevideo"]);
  expect(asked).toEqual(["/api/rooster/v3/public/markets?types=COURIER,MARKETING"]);
});

describe("a name", () => {
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
});
