import type { FlagsDocument } from "./document";

/** The objects of a configuration: each is changed, merged and described as a whole. */
export const SECTIONS = [
  "attributes",
  "segments",
  "layers",
  "holdouts",
  "metrics",
  "flags",
] as const;

export type SectionName = (typeof SECTIONS)[number];

export type Item = NonNullable<FlagsDocument[SectionName]>[number];

export const keyOf = (item: Item): string => ("key" in item ? item.key : item.name);

export function itemsOf(document: FlagsDocument, section: SectionName): readonly Item[] {
  return document[section] ?? [];
}

export function byKey(document: FlagsDocument, section: SectionName): ReadonlyMap<string, Item> {
  return new Map(itemsOf(document, section).map((item) => [keyOf(item), item]));
}
