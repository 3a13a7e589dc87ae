/** 1 fills the width of the screen, or shows a page at its natural size where there is room. */
export const ZOOM_STEPS = [1, 1.25, 1.5, 2, 3, 4] as const;
export const MAX_ZOOM = 4;

export function clampZoom(zoom: number): number {
  return Math.min(MAX_ZOOM, Math.max(1, zoom));
}

/** The next step up or down from any zoom, also from one between the steps that a pinch left. */
export function stepZoom(zoom: number, direction: 1 | -1): number {
  return direction > 0
    ? (ZOOM_STEPS.find((step) => step > zoom + 0.01) ?? MAX_ZOOM)
    : (ZOOM_STEPS.findLast((step) => step < zoom - 0.01) ?? 1);
}

/** A place in a page, as fractions of its box, which stays true whatever size the page takes. */
export interface Anchor {
  readonly element: Element;
  readonly x: number;
  readonly y: number;
}

export function anchorAt(scroller: Element, x: number, y: number): Anchor | undefined {
  const element = elementAt(scroller, y);
  if (!element) return undefined;
  const box = element.getBoundingClientRect();
  return { element, x: (x - box.left) / box.width, y: (y - box.top) / box.height };
}

/** Scrolls so that the anchored place is under the point again. */
export function restoreAnchor(scroller: Element, anchor: Anchor, x: number, y: number): void {
  const box = anchor.element.getBoundingClientRect();
  scroller.scrollBy(box.left + anchor.x * box.width - x, box.top + anchor.y * box.height - y);
}

/** The last marked element that begins above the height: pages in one view, blocks in the other. */
export function elementAt(scroller: Element, y: number): HTMLElement | undefined {
  const all = [...scroller.querySelectorAll<HTMLElement>("[data-page]")];
  return all.findLast((element) => element.getBoundingClientRect().top <= y) ?? all[0];
}

/**
 * The page being read is the one that crosses the middle. At the very end it is the last one, even
 * when that is too short to reach the middle: it is evidence of how far a person came.
 */
export function pageInView(scroller: Element): number | undefined {
  const box = scroller.getBoundingClientRect();
  const atEnd = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2;
  const y = atEnd ? Number.POSITIVE_INFINITY : box.top + box.height / 2;
  const page = elementAt(scroller, y)?.dataset.page;
  return page ? Number(page) : undefined;
}
