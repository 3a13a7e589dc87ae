import { expect, it } from "vitest";
import { isMarketCode, marketsAround } from "./code";
import { marketNamed, marketTree, matchingMarkets } from "./tree";

it("recognises the form of a market code", () => {
  for (const code of ["DE", "DE-BE", "DE.berlin", "UY.montevideo", "DE-BE.a", "FR-75C.paris-2"]) {
    expect(isMarketCode(code), code).toBe(true);
  }
  for (const code of ["de", "DEU", "DE-", "DE-BE.", "DE-BE.-x", "DE-BE.x-", "DE.Berlin", " DE"]) {
    expect(isMarketCode(code), code).toBe(false);
  }
});

it("returns the markets that contain one", () => {
  expect(marketsAround("DE-BE.berlin")).toEqual(["DE", "DE-BE"]);
  expect(marketsAround("DE.berlin")).toEqual(["DE"]);
  expect(marketsAround("DE")).toEqual([]);
});

const market = (code: string, name: string | null = null, people = 0) => ({
  code,
  name,
  people,
  terms: 0,
  timezone: null,
  locale: null,
  declared: name !== null,
});

it("puts each market below the ones that contain it, even if those are not declared", () => {
  const rows = marketTree(
    [
      market("UY.montevideo", "Montevideo", 2),
      market("DE-BE.berlin", "Berlin", 5),
      market("DE", null, 1),
      market("DE-BY.munich", "Munich", 3),
    ],
    "en",
  );
  expect(rows.map(({ code, name, depth, people }) => `${depth} ${code} ${name} ${people}`)).toEqual(
    [
      "0 DE Germany 9",
      "1 DE-BE DE-BE 5",
      "2 DE-BE.berlin Berlin 5",
      "1 DE-BY DE-BY 3",
      "2 DE-BY.munich Munich 3",
      "0 UY Uruguay 2",
      "1 UY.montevideo Montevideo 2",
    ],
  );
  expect(rows.filter((row) => !row.market).map(({ code }) => code)).toEqual([
    "DE-BE",
    "DE-BY",
    "UY",
  ]);
});

it("visits each of many places once", () => {
  const places = Array.from({ length: 10_000 }, (_, i) => market(`DE-BE.p${i}`));
  let looked = 0;
  const counted = places.map((place) =>
    Object.defineProperty({ ...place }, "people", { get: () => ++looked && 1 }),
  );
  const rows = marketTree(counted, "en");
  expect(rows.slice(0, 2).map(({ people }) => people)).toEqual([10_000, 10_000]);
  expect([rows.length, looked]).toEqual([10_002, 10_000]);
});

it("finds markets by name or code, below the ones that contain them", () => {
  const declared = [market("DE-BE.berlin", "Berlin"), market("DE-BY.munich", "Munich")];
  const rows = marketTree([...declared, market("UY.montevideo", "Montevideo")], "en");
  const codes = (text: string) => matchingMarkets(rows, text).map(({ code }) => code);
  expect(codes(" BERL ")).toEqual(["DE", "DE-BE", "DE-BE.berlin"]);
  expect(codes("uy.")).toEqual(["UY", "UY.montevideo"]);
  expect(codes("nowhere")).toEqual([]);
  expect(codes("")).toHaveLength(rows.length);
});

it("finds the only market with a name or code", () => {
  const rows = marketTree(
    [market("DE.frankfurt", "Frankfurt"), market("DE-BB.ffo", "Frankfurt"), market("UY", null)],
    "en",
  );
  expect(marketNamed(rows, " de.FRANKFURT ")?.code).toBe("DE.frankfurt");
  expect(marketNamed(rows, "uruguay")?.code).toBe("UY");
  // Two markets have this name, so neither is chosen.
  expect(marketNamed(rows, "Frankfurt")).toBeUndefined();
  expect(marketNamed(rows, "Frank")).toBeUndefined();
  expect(marketNamed(rows, "")).toBeUndefined();
});
