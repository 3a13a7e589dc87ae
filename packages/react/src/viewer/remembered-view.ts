import type { Manifest } from "./manifest";

const KEY = "mu-viewer-view";

export type View = "reading" | "pages";

/** Whether this person chose to read the text or to see the pages. It says nothing about a document. */
export function rememberedView(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // A browser that forbids storage throws on the mere access.
    return null;
  }
}

export function rememberView(view: View): void {
  try {
    localStorage.setItem(KEY, view);
  } catch {
    // The choice then lasts until the viewer closes.
  }
}

/** A page of A4 is as wide as the screen there, and its print five pixels high. */
export const isPhone = () => matchMedia("(max-width:480px) and (pointer:coarse)").matches;

/** Whether the text is what most pages show, as far as publishing could measure it. */
export const isMostlyText = ({ text, pages, doubts }: Manifest) =>
  text.trim() && doubts && new Set(doubts.map((it) => it.page)).size * 2 < pages.length;
