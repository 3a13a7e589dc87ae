import { countryName, marketsAround } from "./code";
import type { Market } from "./markets-query";

/** A market with its position in the tree. */
export interface MarketRow {
  readonly code: string;
  readonly name: string;
  readonly depth: number;
  /** Absent: the row only exists because it contains declared markets. */
  readonly market?: Market;
  /** In this market and all markets inside it. */
  readonly people: number;
  readonly terms: number;
}

interface Count {
  people: number;
  terms: number;
}

/** Sums the counts of each market and the markets inside it, by code. */
function sums(markets: readonly Market[]): ReadonlyMap<string, Count> {
  const counts = new Map<string, Count>();
  for (const { code, people, terms } of markets) {
    for (const outer of [...marketsAround(code), code]) {
      const count = counts.get(outer) ?? { people: 0, terms: 0 };
      counts.set(outer, { people: count.people + people, terms: count.terms + terms });
    }
  }
  return counts;
}

/**
 * Returns all markets below their countries and subdivisions, by name. Visits each market once,
 * because a company may have thousands of places.
 */
export function marketTree(markets: readonly Market[], language: string): readonly MarketRow[] {
  const declared = new Map(markets.map((market) => [market.code, market]));
  const counts = sums(markets);
  const nameOf = (code: string) =>
    declared.get(code)?.name || countryName(code, language) || placeOf(code);
  const { compare } = new Intl.Collator(language, { numeric: true });
  const entries = [...counts.keys()].map((code) => ({ code, name: nameOf(code) }));
  entries.sort((a, b) => compare(a.name, b.name));
  const within = new Map<string | undefined, (typeof entries)[number][]>();
  for (const entry of entries) {
    const parent = marketsAround(entry.code).at(-1);
    const siblings = within.get(parent) ?? [];
    siblings.push(entry);
    within.set(parent, siblings);
  }
  const beneath = (parent: string | undefined): readonly MarketRow[] =>
    (within.get(parent) ?? []).flatMap(({ code, name }) => {
      const market = declared.get(code);
      const { people = 0, terms = 0 } = counts.get(code) ?? {};
      const row = { code, name, depth: marketsAround(code).length, people, terms };
      return [{ ...row, ...(market && { market }) }, ...beneath(code)];
    });
  return beneath(undefined);
}

/** Returns the markets whose name or code contains this text, and their ancestors. */
export function matchingMarkets(rows: readonly MarketRow[], sought: string): readonly MarketRow[] {
  const text = sought.trim().toLocaleLowerCase();
  if (!text) return rows;
  const matches = rows.filter(({ code, name }) =>
    [code, name].some((part) => part.toLocaleLowerCase().includes(text)),
  );
  const shown = new Set(matches.flatMap(({ code }) => [...marketsAround(code), code]));
  return rows.filter(({ code }) => shown.has(code));
}

/** Returns the only market with this name or code; undefined if there is none or several. */
export function marketNamed(rows: readonly MarketRow[], text: string): MarketRow | undefined {
  const wantedText = text.trim().toLocaleLowerCase();
  const matches = rows.filter(({ code, name }) =>
    [code, name].some((part) => part.toLocaleLowerCase() === wantedText),
  );
  return matches.length === 1 ? matches[0] : undefined;
}

const placeOf = (code: string) => code.split(".")[1] ?? code;
