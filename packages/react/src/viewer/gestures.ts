import { type Anchor, anchorAt, clampZoom } from "./zoom";

export type ZoomTo = (zoom: number, x: number, y: number, anchor?: Anchor) => void;

interface Pinch {
  readonly zoom: number;
  readonly distance: number;
  readonly x: number;
  readonly y: number;
  readonly anchor: Anchor | undefined;
}

function twoFingers(touches: TouchList) {
  const [a, b] = touches as unknown as [Touch, Touch];
  return {
    distance: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) || 1,
    x: (a.clientX + b.clientX) / 2,
    y: (a.clientY + b.clientY) / 2,
  };
}

/**
 * Pinch, double tap and ctrl+wheel (which is also what a touchpad's pinch sends).
 * Touch events, not pointer events: where one finger scrolls, the browser ends both pointers with
 * `pointercancel` as soon as the second one moves; only a cancelled `touchmove` stops it.
 */
export function listenGestures(
  scroller: HTMLElement,
  currentZoom: () => number,
  zoomTo: ZoomTo,
): () => void {
  const ended = new AbortController();
  const options = { passive: false, signal: ended.signal };
  let pinch: Pinch | undefined;
  let ratio = 1;
  let middle = { x: 0, y: 0 };
  let tap = { time: 0, x: 0, y: 0 };

  const content = () => scroller.firstElementChild as HTMLElement;

  scroller.addEventListener(
    "touchstart",
    (event) => {
      if (event.touches.length !== 2) return;
      event.preventDefault();
      const start = twoFingers(event.touches);
      const box = content().getBoundingClientRect();
      content().style.transformOrigin = `${start.x - box.left}px ${start.y - box.top}px`;
      pinch = { ...start, zoom: currentZoom(), anchor: anchorAt(scroller, start.x, start.y) };
      ratio = 1;
      middle = start;
    },
    options,
  );

  scroller.addEventListener(
    "touchmove",
    (event) => {
      if (!pinch || event.touches.length !== 2) return;
      event.preventDefault();
      const now = twoFingers(event.touches);
      // Laying out thirty pages at every move stutters: the fingers move a picture, the end commits.
      ratio = clampZoom((pinch.zoom * now.distance) / pinch.distance) / pinch.zoom;
      middle = now;
      content().style.transform = `translate(${now.x - pinch.x}px,${now.y - pinch.y}px) scale(${ratio})`;
    },
    options,
  );

  const end = (event: TouchEvent) => {
    if (pinch) {
      content().style.transform = "";
      zoomTo(pinch.zoom * ratio, middle.x, middle.y, pinch.anchor);
      pinch = undefined;
      tap.time = 0;
      return;
    }
    const touch = event.changedTouches[0];
    if (!touch || event.type === "touchcancel") return;
    const { clientX: x, clientY: y } = touch;
    const near = Math.hypot(x - tap.x, y - tap.y) < 30;
    if (near && event.timeStamp - tap.time < 300) {
      event.preventDefault();
      zoomTo(currentZoom() > 1 ? 1 : 2, x, y);
      tap.time = 0;
    } else {
      tap = { time: event.timeStamp, x, y };
    }
  };
  scroller.addEventListener("touchend", end, options);
  scroller.addEventListener("touchcancel", end, options);

  scroller.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoomTo(currentZoom() * Math.exp(-event.deltaY / 200), event.clientX, event.clientY);
    },
    options,
  );
  return () => ended.abort();
}
