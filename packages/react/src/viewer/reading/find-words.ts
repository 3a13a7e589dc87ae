const MATCHES_MAX = 1_000;

/** A text without marks, signs of direction and capitals, and for each of its letters its place in the original. */
function folded(text: string) {
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

/** Where words stand in what is shown, whatever their capitals and marks. */
export function findWords(root: HTMLElement, words: string): Range[] {
  const wanted = folded(words.trim().replace(/\s+/g, " ")).letters;
  const found: Range[] = [];
  if (!wanted) return found;
  const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode() && found.length < MATCHES_MAX) {
    const node = nodes.currentNode as Text;
    if (!node.parentElement?.closest("[data-block]")) continue;
    const { letters, places } = folded(node.data);
    for (let at = letters.indexOf(wanted); at >= 0; at = letters.indexOf(wanted, at + 1)) {
      const range = document.createRange();
      range.setStart(node, places[at] as number);
      // To the start of the next letter, so that the marks of the last one are in it.
      range.setEnd(node, places[at + wanted.length] as number);
      found.push(range);
    }
  }
  return found;
}

const NAMES = ["mu-viewer-found", "mu-viewer-found-now"] as const;

/** Marks what was found; browsers without highlights select the one that is looked at. */
export function markFound(found: readonly Range[], now: Range | undefined): void {
  const marks = globalThis.CSS?.highlights;
  if (marks) {
    for (const name of NAMES) marks.delete(name);
    if (found.length) marks.set(NAMES[0], new Highlight(...found));
    if (now) marks.set(NAMES[1], new Highlight(now));
  } else if (now) {
    const selection = getSelection();
    selection?.removeAllRanges();
    selection?.addRange(now);
  }
}
