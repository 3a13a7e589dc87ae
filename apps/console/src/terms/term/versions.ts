import type { PublishedTerm } from "../terms-query";

/**
 * Returns the known versions before and after this one, newest first. A cancelled version is not
 * part of the chain: it is listed above the one that it should have replaced.
 */
export function versionsOf(
  term: PublishedTerm,
  known: readonly PublishedTerm[],
): readonly PublishedTerm[] {
  const byId = new Map([...known, term].map((version) => [version.id, version]));
  const walk = (from: PublishedTerm, next: (of: PublishedTerm) => number | undefined) => {
    const chain: PublishedTerm[] = [];
    // A version has at most one predecessor and one successor, and replaces only an older one.
    for (let at = byId.get(next(from) ?? 0); at; at = byId.get(next(at) ?? 0)) chain.push(at);
    return chain;
  };
  const link = (term.cancelled_at && byId.get(term.replaces ?? 0)) || term;
  const chain = [...walk(link, (of) => of.replaced_by), link, ...walk(link, (of) => of.replaces)];
  const ids = new Set(chain.map(({ id }) => id));
  const cancelled = [...byId.values()].filter(
    ({ id, cancelled_at, replaces = 0 }) => cancelled_at && !ids.has(id) && ids.has(replaces),
  );
  return [...chain, ...cancelled].sort((a, b) => b.id - a.id);
}
