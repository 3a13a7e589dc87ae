export const ranges = [30, 90, 366] as const;
export type Range = (typeof ranges)[number];

/** What the page of a term's coverage shows: it stands in the address. */
export interface CoverageSearch {
  /** So many days of the chart; 30 unless it says otherwise. */
  readonly days?: Exclude<Range, 30>;
  /** Of the riders who are missing: part of a name, or how an id begins. */
  readonly q?: string;
}

export function readCoverageSearch(search: Record<string, unknown>): CoverageSearch {
  const days = ranges.find((range) => range === Number(search.days));
  // The router reads a bare number as one, and a user id may be a number.
  const q = /^(string|number)$/.test(typeof search.q) ? String(search.q).trim().slice(0, 100) : "";
  return { ...(days && days !== 30 && { days }), ...(q && { q }) };
}
