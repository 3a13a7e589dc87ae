import type { FlagsDocument } from "../document/document";
import { byKey, type Item, itemsOf, keyOf, SECTIONS, type SectionName } from "../document/objects";
import { same } from "../document/same";
import { mergeItem } from "./merge-item";

/**
 * An object or a part of it that two people have changed from the same base. Undefined means that
 * the object does not exist.
 */
export interface Conflict {
  readonly section: SectionName;
  readonly key: string;
  /** The part of the object; empty if one of the two has added or removed the object. */
  readonly part: string;
  readonly base: Item | undefined;
  readonly theirs: Item | undefined;
  readonly mine: Item | undefined;
}

export type Side = "theirs" | "mine";

export interface Merged {
  readonly document: FlagsDocument;
  readonly conflicts: readonly Conflict[];
}

export const conflictId = ({ section, key, part }: Pick<Conflict, "section" | "key" | "part">) =>
  [section, key, part].join("/");

/**
 * Applies the differences between `base` and `mine` to `current`, object by object, and within an
 * object member by member. If both changed the same part, theirs is used unless `sides` says
 * otherwise.
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
    const [was, theirs, own] = [base, current, mine].map((side) => byKey(side, section));
    const result = new Map(itemsOf(current, section).map((item) => [keyOf(item), item]));
    for (const key of new Set([...(was?.keys() ?? []), ...(own?.keys() ?? [])])) {
      const [a, b, c] = [was?.get(key), theirs?.get(key), own?.get(key)];
      if (same(a, c) || same(b, c)) continue;
      const isMine = (part: string) => sides[conflictId({ section, key, part })] === "mine";
      if (a && b && c) {
        const { item, conflicts: parts } = mergeItem(a, b, c, isMine);
        conflicts.push(...parts.map((part) => ({ section, key, ...part })));
        result.set(key, item);
        continue;
      }
      const isOnlyMine = same(a, b);
      if (!isOnlyMine) conflicts.push({ section, key, part: "", base: a, theirs: b, mine: c });
      if (!isOnlyMine && !isMine("")) continue;
      if (c) result.set(key, c);
      else result.delete(key);
    }
    // A document without metrics keeps omitting the member.
    if (result.size || current[section]) merged[section] = [...result.values()];
  }
  // There are only two values: if both changed it, they made the same change.
  const isMine = base.clientMetrics !== mine.clientMetrics;
  const settings = isMine ? { clientMetrics: mine.clientMetrics ?? false } : {};
  return { document: { ...current, ...merged, ...settings } as FlagsDocument, conflicts };
}
