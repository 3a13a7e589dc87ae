import { isInside } from "../api/grants";
import { around, countryName } from "./code";
import type { Market } from "./markets-query";

/** A market with its place in the tree. */
export interface MarketRow {
  readonly code: string;
  readonly name: string;
  readonly depth: number;
  /** Absent: it is only there because others lie in it. */
  readonly market?: Market;
  /** Here and in all markets inside. */
  readonly people: number;
  readonly terms: number;
}

/** All markets beneath the countries and subdivisions that they lie in, by name. */
export function marketTree(markets: readonly Market[], language: string): readonly MarketRow[] {
  const known = new Map(markets.map((market) => [market.code, market]));
  const codes = new Set(markets.flatMap(({ code }) => [...around(code), code]));
  const nameOf = (code: string) =>
    known.get(code)?.name || countryName(code, language) || placeOf(code);
  const sum = (code: string, count: (market: Market) => number) =>
    markets.filter((it) => isInside(it.code, code)).reduce((all, it) => all + count(it), 0);
  const { compare } = new Intl.Collator(language, { numeric: true });
  const beneath = (parent: string | undefined): readonly MarketRow[] =>
    [...codes]
      .filter((code) => around(code).at(-1) === parent)
      .sort((a, b) => compare(nameOf(a), nameOf(b)))
      .flatMap((code) => {
        const market = known.get(code);
        const row = {
          code,
          name: nameOf(code),
          depth: around(code).length,
          people: sum(code, ({ people }) => people),
          terms: sum(code, ({ terms }) => terms),
        };
        return [{ ...row, ...(market && { market }) }, ...beneath(code)];
      });
  return beneath(undefined);
}

const placeOf = (code: string) => code.split(".")[1] ?? code;
