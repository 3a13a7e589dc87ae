import type { EarlierVersion, Term } from "./term";

/**
 * The version that somebody knows who now sees this one: what "changed" is measured against. It is the
 * newest that is `known`, which need not be the one before: versions may have passed unseen. A minor
 * version was never agreed to by itself where the one before it is known too.
 */
export function formerVersion(
  { earlier_versions = [] }: Term,
  known: (id: number) => boolean,
): EarlierVersion | undefined {
  let former = earlier_versions.findIndex(({ id }) => known(id));
  if (former < 0) return undefined;
  for (;;) {
    const [version, before] = earlier_versions.slice(former, former + 2);
    if (version?.material !== false || !before || !known(before.id)) return version;
    former++;
  }
}

/** What each version since `former` says that it changed, the newest first. */
export function summariesSince(term: Term, former: EarlierVersion | undefined): readonly string[] {
  const earlier = term.earlier_versions ?? [];
  const since = former ? earlier.slice(0, earlier.indexOf(former)) : [];
  return [term, ...since].flatMap(({ summary }) => (summary ? [summary] : []));
}
