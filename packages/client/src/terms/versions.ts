import type { EarlierVersion, Term } from "./term";

/**
 * Returns the version that the user already knows, to compare the current version with. It is the newest
 * version for which `known` returns true. This need not be the previous version, because the user may have
 * missed versions. A minor version is skipped if the version before it is known too, because users do not
 * agree to a minor version by itself.
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

/** Returns the change summaries of all versions since `former`, newest first. */
export function summariesSince(term: Term, former: EarlierVersion | undefined): readonly string[] {
  const earlier = term.earlier_versions ?? [];
  const since = former ? earlier.slice(0, earlier.indexOf(former)) : [];
  return [term, ...since].flatMap(({ summary }) => (summary ? [summary] : []));
}
