const KEY = "mu-viewer-place";

/** The number of documents whose position is stored. */
const PLACES_MAX = 20;

type Places = { readonly [document: string]: string };

function places(): Places {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** A position in a block as a fraction of its height. Negative above the first block. */
export interface ReadingPosition {
  readonly block: string;
  readonly down: number;
}

/** Returns the last position of this tab in a document. */
export function loadReadingPosition(document: string): ReadingPosition | undefined {
  const [block = "", down] = String(places()[document]).split(" ");
  // Validates the index, because it becomes part of a selector.
  return /^\d+$/.test(block) ? { block, down: Number(down) || 0 } : undefined;
}

export function storeReadingPosition(document: string, { block, down }: ReadingPosition): void {
  const others = Object.entries(places()).filter(([other]) => other !== document);
  const entries = [...others, [document, `${block} ${down.toFixed(4)}`]].slice(-PLACES_MAX);
  try {
    sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(entries)));
  } catch {
    // Storage is blocked or full, so the document opens at the current page next time.
  }
}
