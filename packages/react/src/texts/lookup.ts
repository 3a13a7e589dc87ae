/** RFC 4647 §3.4: the range is shortened from its end until a language is there. */
export function lookup(range: string, available: Iterable<string>): string | undefined {
  const tags = [...available];
  let wanted = range.toLowerCase().replace(/_/g, "-");
  while (wanted) {
    const found = tags.find((tag) => tag.toLowerCase() === wanted);
    if (found) return found;
    // A single letter only introduces what followed it, and goes with it.
    wanted = wanted.replace(/(-[^-])?-?[^-]*$/, "");
  }
  return undefined;
}
