const KEY = "mu-viewer-view";

export type View = "reading" | "pages";

/** Whether this person chose to read the text or to see the pages, for as long as the tab lives. */
export function rememberedView(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    // A browser that forbids storage throws on the mere access.
    return null;
  }
}

export function rememberView(view: View): void {
  try {
    sessionStorage.setItem(KEY, view);
  } catch {
    // The choice then lasts until the viewer closes.
  }
}
