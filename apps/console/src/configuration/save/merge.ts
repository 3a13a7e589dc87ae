import type { FlagsDocument } from "../document/document";
import { byKey, type Item, itemsOf, keyOf, SECTIONS, type SectionName } from "../document/objects";
import { same } from "../document/same";

/** One object that two people have changed, each from what it was. Undefined: it is not there. */
export interface Conflict {
  readonly section: SectionName;
  readonly key: string;
  readonly base: Item | undefined;
  readonly theirs: Item | undefined;
  readonly mine: Item | undefined;
}

export type Side = "theirs" | "mine";

export interface Merged {
  readonly document: FlagsDocument;
  readonly conflicts: readonly Conflict[];
}

export const conflictId = ({ section, key }: Pick<Conflict, "section" | "key">) =>
  `${section}/${key}`;

/**
 * `current` with what differs between `base` and `mine`. Whole objects are taken or left: half of one
 * change and half of another would be a flag that nobody wrote. Where both have changed one, theirs
 * stands until `sides` says otherwise.
 */
export function merge(
  base: FlagsDocument,
  current: FlagsDocument,
  mine: FlagsDocument,
  sides: Readonly<Record<string, Side>> = {},
): Merged {
  const conflicts: Conflict[] = [];
  const merged: Record<string, readonly Item[]> = {};
  for (const section of SECTIONS) {
    const [was, theirs, own] = [base, current, mine].map((it) => byKey(it, section));
    const result = new Map(itemsOf(current, section).map((item) => [keyOf(item), item]));
    for (const key of new Set([...(was?.keys() ?? []), ...(own?.keys() ?? [])])) {
      const [a, b, c] = [was?.get(key), theirs?.get(key), own?.get(key)];
      if (same(a, c) || same(b, c)) continue;
      const conflict = { section, key, base: a, theirs: b, mine: c };
      const isOnlyMine = same(a, b);
      if (!isOnlyMine) conflicts.push(conflict);
      if (!isOnlyMine && sides[conflictId(conflict)] !== "mine") continue;
      if (c) result.set(key, c);
      else result.delete(key);
    }
    // A document without metrics stays one.
    if (result.size || current[section]) merged[section] = [...result.values()];
  }
  // There are two values: whoever else changed it made the same change.
  const isMine = base.clientMetrics !== mine.clientMetrics;
  const settings = isMine ? { clientMetrics: mine.clientMetrics ?? false } : {};
  return { document: { ...current, ...merged, ...settings } as FlagsDocument, conflicts };
}
