import type { PublishedTerm } from "../terms-query";

/**
 * The versions before and after one, as far as they are known, the newest first. A cancelled one is no
 * link of the chain: it stands above what it was to replace.
 */
export function versionsOf(
  term: PublishedTerm,
  known: readonly PublishedTerm[],
): readonly PublishedTerm[] {
  const byId = new Map([...known, term].map((it) => [it.id, it]));
  const walk = (from: PublishedTerm, next: (of: PublishedTerm) => number | undefined) => {
    const found: PublishedTerm[] = [];
    // A version has at most one before it and one after it, and follows only an older one.
    for (let at = byId.get(next(from) ?? 0); at; at = byId.get(next(at) ?? 0)) found.push(at);
    return found;
  };
  const link = (term.cancelled_at && byId.get(term.replaces ?? 0)) || term;
  const chain = [...walk(link, (of) => of.replaced_by), link, ...walk(link, (of) => of.replaces)];
  const ids = new Set(chain.map(({ id }) => id));
  const cancelled = [...byId.values()].filter(
    ({ id, cancelled_at, replaces = 0 }) => cancelled_at && !ids.has(id) && ids.has(replaces),
  );
  return [...chain, ...cancelled].sort((a, b) => b.id - a.id);
}
