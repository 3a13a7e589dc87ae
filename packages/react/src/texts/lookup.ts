/** RFC 4647 §3.4: the range is shortened from its end until a language is there. */
export function lookup(range: string, available: Iterable<string>): string | undefined {
  const tags = new Map(Array.from(available, (tag) => [tag.toLowerCase(), tag]));
  const subtags = range.toLowerCase().split("-");
  while (subtags.length > 0) {
    const found = tags.get(subtags.join("-"));
    if (found !== undefined) return found;
    subtags.pop();
    // A single letter only introduces what followed it.
    if (subtags.at(-1)?.length === 1) subtags.pop();
  }
  return undefined;
}
