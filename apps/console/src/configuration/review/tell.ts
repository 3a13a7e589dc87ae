import { same } from "../document/same";
import type { Difference } from "./changes";

export type Describe<T> = (value: T) => string;

/** Returns the difference between two values; empty if they are equal. */
export function field<T>(
  place: string,
  before: T,
  after: T,
  describe: Describe<NonNullable<T> | Exclude<T, undefined>> = String,
): readonly Difference[] {
  if (same(before, after)) return [];
  const described = (item: T) =>
    item === undefined ? undefined : describe(item as Exclude<T, undefined>);
  return difference(place, described(before), described(after));
}

export function difference(
  place: string,
  before: string | undefined,
  after: string | undefined,
): readonly Difference[] {
  return [
    { place, ...(before !== undefined && { before }), ...(after !== undefined && { after }) },
  ];
}

/** Returns the members that were added to and removed from a set. */
export function setDifferences(
  place: string,
  before: readonly string[],
  after: readonly string[],
): readonly Difference[] {
  const removed = before.filter((member) => !after.includes(member));
  const come = after.filter((member) => !before.includes(member));
  return [
    ...removed.flatMap((member) => difference(place, member, undefined)),
    ...come.flatMap((member) => difference(place, undefined, member)),
  ];
}
