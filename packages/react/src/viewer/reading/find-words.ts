const MATCHES_MAX = 1_000;

/** Removes marks, direction characters and upper case. Returns the index of each letter in the original text. */
function normalize(text: string) {
  let letters = "";
  const places: number[] = [];
  let at = 0;
  for (const letter of text) {
    const plain = letter
      .normalize("NFKD")
      .replace(/[\p{M}\p{Cf}\u0640]/gu, "")
      .toLowerCase();
    letters += plain;
    for (let count = 0; count < plain.length; count++) places.push(at);
    at += letter.length;
  }
  places.push(at);
  return { letters, places };
}

/** Returns the ranges of a text in the document. Ignores case and marks. */
export function findWords(root: HTMLElement, text: string): Range[] {
  const query = normalize(text.trim().replace(/\s+/g, " ")).letters;
  const matches: Range[] = [];
  if (!query) return matches;
  const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode() && matches.length < MATCHES_MAX) {
    const node = nodes.currentNode as Text;
    if (!node.parentElement?.closest("[data-block]")) continue;
    const { letters, places } = normalize(node.data);
    for (let at = letters.indexOf(query); at >= 0; at = letters.indexOf(query, at + 1)) {
      const range = document.createRange();
      range.setStart(node, places[at] as number);
      // Ends at the start of the next letter, to include the marks of the last one.
      range.setEnd(node, places[at + query.length] as number);
      matches.push(range);
    }
  }
  return matches;
}

const NAMES = ["mu-viewer-found", "mu-viewer-found-now"] as const;

/** Highlights the matches. Browsers without highlights select the current one. */
export function highlightMatches(matches: readonly Range[], current: Range | undefined): void {
  const marks = globalThis.CSS?.highlights;
  if (marks) {
    for (const name of NAMES) marks.delete(name);
    if (matches.length) marks.set(NAMES[0], new Highlight(...matches));
    if (current) marks.set(NAMES[1], new Highlight(current));
  } else if (current) {
    const selection = getSelection();
    selection?.removeAllRanges();
    selection?.addRange(current);
  }
}
