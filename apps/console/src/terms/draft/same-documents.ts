import type { DraftBody } from "./draft";

/** Returns groups of two or more languages that share one file, which is usually a mistake. */
export function sameDocuments({ variants }: DraftBody): readonly (readonly string[])[] {
  const groups = new Map<string, string[]>();
  for (const { locale, document } of variants) {
    if (!document) continue;
    groups.set(document.sha256, [...(groups.get(document.sha256) ?? []), locale]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}
