// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import { anchorAt, clampZoom, pageInView, restoreAnchor, stepZoom } from "./zoom";

const WINDOW = 800;
let scroller: HTMLElement;
let scale = 1;

/** Creates pages with these heights and simulates their layout for the current zoom and scroll position. */
function pages(...heights: number[]) {
  scale = 1;
  scroller = document.createElement("section");
  const total = () => heights.reduce((sum, height) => sum + height, 0) * scale;
  heights.forEach((height, index) => {
    const page = scroller.appendChild(document.createElement("div"));
    page.dataset.page = String(index + 1);
    const before = heights.slice(0, index).reduce((sum, other) => sum + other, 0);
    page.getBoundingClientRect = () =>
      new DOMRect(
        -scroller.scrollLeft,
        before * scale - scroller.scrollTop,
        400 * scale,
        height * scale,
      );
  });
  scroller.getBoundingClientRect = () => new DOMRect(0, 0, 400, WINDOW);
  Object.defineProperty(scroller, "clientHeight", { value: WINDOW });
  Object.defineProperty(scroller, "scrollHeight", { get: total });
  scroller.scrollBy = vi.fn((x: number, y: number) => {
    scroller.scrollLeft += x;
    scroller.scrollTop += y;
  }) as never;
  document.body.replaceChildren(scroller);
}

beforeEach(() => pages(1000, 1000, 1000));

it.each([
  [1, 1.5, 1],
  [1.5, 2, 1],
  [2, 3, 1.5],
  [3, 4, 2],
  [4, 4, 3],
])("steps from %d up to %d and down to %d", (zoom, up, down) => {
  expect(stepZoom(zoom, 1)).toBe(up);
  expect(stepZoom(zoom, -1)).toBe(down);
});

it("steps from a zoom set by a pinch, and not beyond the limits", () => {
  expect(stepZoom(1.2, -1)).toBe(1);
  expect(stepZoom(3.7, 1)).toBe(4);
  expect(clampZoom(0.2)).toBe(1);
  expect(clampZoom(9)).toBe(4);
});

it("keeps the position under the fingers when the size changes", () => {
  scroller.scrollTop = 1300;
  const anchor = anchorAt(scroller, 100, 200);
  expect(anchor).toMatchObject({ across: 0.25, down: 0.5 });
  scale = 3;
  restoreAnchor(scroller, anchor);
  expect(scroller.scrollTop).toBe(3 * 1500 - 200);
  expect(scroller.scrollLeft).toBe(3 * 100 - 100);
});

it("ignores a position whose element was removed", () => {
  const anchor = anchorAt(scroller, 0, 0);
  scroller.replaceChildren();
  restoreAnchor(scroller, anchor);
  expect(scroller.scrollBy).not.toHaveBeenCalled();
  expect(anchorAt(scroller, 0, 0)).toBeUndefined();
});

it("returns the page at the middle of the screen", () => {
  expect(pageInView(scroller)).toBe(1);
  scroller.scrollTop = 599;
  expect(pageInView(scroller)).toBe(1);
  scroller.scrollTop = 600;
  expect(pageInView(scroller)).toBe(2);
});

it("returns the last page at the end, even if it does not reach the middle", () => {
  pages(1000, 1000, 100);
  scroller.scrollTop = 2100 - WINDOW - 10;
  expect(pageInView(scroller)).toBe(2);
  scroller.scrollTop = 2100 - WINDOW;
  expect(pageInView(scroller)).toBe(3);
});

it("returns NaN without pages", () => {
  pages();
  expect(pageInView(scroller)).toBeNaN();
});
