/** The maximum zoom. At 1 a page fills the width of the screen, or has its natural size if there is room. */
export const MAX_ZOOM = 4;

export function clampZoom(zoom: number): number {
  return Math.min(MAX_ZOOM, Math.max(1, zoom));
}

/** Returns the next zoom step: 100, 150, 200, 300 or 400 %. */
export function stepZoom(zoom: number, direction: 1 | -1): number {
  const small = direction > 0 ? zoom < 2 : zoom <= 2;
  return clampZoom(zoom + direction * (small ? 0.5 : 1));
}

/** A position in a page as fractions of its box, independent of its size, and its coordinates on the screen. */
export interface Anchor {
  readonly element: Element;
  readonly across: number;
  readonly down: number;
  readonly x: number;
  readonly y: number;
}

export function anchorAt(scroller: Element, x: number, y: number): Anchor | undefined {
  const element = elementAt(scroller, y);
  if (!element) return undefined;
  const box = element.getBoundingClientRect();
  return { element, across: (x - box.left) / box.width, down: (y - box.top) / box.height, x, y };
}

export function anchorInMiddle(scroller: Element): Anchor | undefined {
  const box = scroller.getBoundingClientRect();
  return anchorAt(scroller, box.left + box.width / 2, box.top + box.height / 2);
}

/** Scrolls so that the anchored position has the same coordinates on the screen as before. */
export function restoreAnchor(scroller: Element, anchor: Anchor | undefined): void {
  if (!anchor?.element.isConnected) return;
  const box = anchor.element.getBoundingClientRect();
  scroller.scrollBy(
    box.left + anchor.across * box.width - anchor.x,
    box.top + anchor.down * box.height - anchor.y,
  );
}

/** Returns the last page or block that starts above a height. */
export function elementAt(scroller: Element, y: number): HTMLElement | undefined {
  const all = [...scroller.querySelectorAll<HTMLElement>("[data-page]")];
  return all.findLast((element) => element.getBoundingClientRect().top <= y) ?? all[0];
}

/**
 * Returns the page or block in view: the one at the middle of the screen. At the end of the document it is the last
 * one, even if it is too short to reach the middle.
 */
export function elementInView(scroller: Element): HTMLElement | undefined {
  const box = scroller.getBoundingClientRect();
  const atEnd = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2;
  const y = atEnd ? Number.POSITIVE_INFINITY : box.top + box.height / 2;
  return elementAt(scroller, y);
}

/** Returns the number of the page in view; NaN if there is none. */
export function pageInView(scroller: Element): number {
  return Number(elementInView(scroller)?.dataset.page);
}
