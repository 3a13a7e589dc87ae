import type { Manifest } from "./manifest";

const KEY = "mu-viewer-view";

export type View = "reading" | "pages";

/** Returns the view that the user chose on this device: text or pages. It contains no data about documents. */
export function rememberedView(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // A browser that blocks storage throws on access.
    return null;
  }
}

export function rememberView(view: View): void {
  try {
    localStorage.setItem(KEY, view);
  } catch {
    // Storage is blocked, so the choice applies until the viewer closes.
  }
}

/** Returns whether the device is a phone, where an A4 page would have letters of five pixels. */
export const isPhone = () => matchMedia("(max-width:480px) and (pointer:coarse)").matches;

/**
 * Returns whether the document has no usable text, such as a scan. It opens as pages: a reading view would only
 * repeat their images.
 */
export const isScan = ({ text, pages, doubts = [] }: Manifest) =>
  !text.trim() || doubtfulPages(doubts) === pages.length;

const doubtfulPages = (doubts: NonNullable<Manifest["doubts"]>) =>
  new Set(doubts.map((doubt) => doubt.page)).size;

/** Returns whether the text of most pages equals their image, as measured at publishing. */
export const isMostlyText = ({ text, pages, doubts }: Manifest) =>
  text.trim() && doubts && doubtfulPages(doubts) * 2 < pages.length;
