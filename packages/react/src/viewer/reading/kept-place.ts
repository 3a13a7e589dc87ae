const KEY = "mu-viewer-place";

/** More documents than anybody reads at once. */
const PLACES_MAX = 20;

type Places = { readonly [document: string]: string };

function places(): Places {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** How far down a block somebody has read, in parts of its height. Below 0 above the first one. */
export interface Place {
  readonly block: string;
  readonly down: number;
}

/** Where this tab last was in a document. */
export function keptPlace(document: string): Place | undefined {
  const [block = "", down] = String(places()[document]).split(" ");
  // It becomes part of a selector.
  return /^\d+$/.test(block) ? { block, down: Number(down) || 0 } : undefined;
}

export function keepPlace(document: string, { block, down }: Place): void {
  const others = Object.entries(places()).filter(([other]) => other !== document);
  const kept = [...others, [document, `${block} ${down.toFixed(4)}`]].slice(-PLACES_MAX);
  try {
    sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // The next time it begins at the page.
  }
}
