/** Returns the list with one of its items moved. */
export function moved<Thing>(list: readonly Thing[], from: number, to: number): readonly Thing[] {
  const thing = list[from];
  if (thing === undefined || to < 0 || to >= list.length) return list;
  return list.toSpliced(from, 1).toSpliced(to, 0, thing);
}
