import type { PublishedTerm } from "../terms-query";

/** The versions before and after one, as far as they are known, the newest first. */
export function versionsOf(
  term: PublishedTerm,
  known: readonly PublishedTerm[],
): readonly PublishedTerm[] {
  const byId = new Map([...known, term].map((it) => [it.id, it]));
  const walk = (next: (of: PublishedTerm) => number | undefined) => {
    const found: PublishedTerm[] = [];
    // A version has at most one before it and one after it, and follows only an older one.
    for (let at = byId.get(next(term) ?? 0); at; at = byId.get(next(at) ?? 0)) found.push(at);
    return found;
  };
  return [...walk((of) => of.replaced_by).reverse(), term, ...walk((of) => of.replaces)];
}
