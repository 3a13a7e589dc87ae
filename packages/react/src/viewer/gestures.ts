import { type Anchor, anchorAt, anchorInMiddle, clampZoom, stepZoom } from "./zoom";

export type ZoomTo = (zoom: number, anchor: Anchor | undefined) => void;

interface FingerPositions {
  readonly spread: number;
  readonly x: number;
  readonly y: number;
}

interface Pinch extends FingerPositions {
  readonly zoom: number;
  readonly anchor: Anchor | undefined;
}

function fingersOf({ touches: [a, b] }: TouchEvent): FingerPositions | undefined {
  return (
    a &&
    b && {
      spread: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) || 1,
      x: (a.clientX + b.clientX) / 2,
      y: (a.clientY + b.clientY) / 2,
    }
  );
}

/** Elements that handle taps and keys themselves, such as the tools above the text. */
const CONTROLS = "button, input, label, summary";

const isForControl = ({ target }: Event) => !!(target as Element).closest(CONTROLS);

/**
 * Handles pinch, double tap, ctrl+wheel (also sent by a pinch on a touchpad), and the keys + - 0. Returns a function
 * that removes the listeners. Uses touch events instead of pointer events: where one finger scrolls, the browser
 * ends both pointers with `pointercancel` when the second one moves. Only a cancelled `touchmove` prevents that.
 */
export function listenGestures(
  scroller: HTMLElement,
  currentZoom: () => number,
  zoomTo: ZoomTo,
): () => void {
  const controller = new AbortController();
  let pinch: Pinch | undefined;
  let commit: (() => void) | undefined;
  let tap = { time: 0, x: 0, y: 0 };
  const style = () => (scroller.firstElementChild as HTMLElement).style;

  const end = (event: TouchEvent) => {
    if (pinch) {
      style().transform = "";
      commit?.();
      pinch = commit = undefined;
      return;
    }
    const { clientX: x, clientY: y } = event.changedTouches[0] as Touch;
    const { timeStamp: time } = event;
    if (isForControl(event)) tap.time = 0;
    else if (time - tap.time < 300 && Math.hypot(x - tap.x, y - tap.y) < 30) {
      event.preventDefault();
      zoomTo(currentZoom() > 1 ? 1 : 2, anchorAt(scroller, x, y));
      tap.time = 0;
    } else tap = { time, x, y };
  };

  const handlers = {
    touchstart(event: TouchEvent) {
      const start = fingersOf(event);
      if (!start) return;
      event.preventDefault();
      const box = (scroller.firstElementChild as HTMLElement).getBoundingClientRect();
      style().transformOrigin = `${start.x - box.left}px ${start.y - box.top}px`;
      pinch = { ...start, zoom: currentZoom(), anchor: anchorAt(scroller, start.x, start.y) };
    },
    touchmove(event: TouchEvent) {
      const current = fingersOf(event);
      // A scrolling finger is not a tap.
      tap.time = 0;
      if (!current || !pinch) return;
      event.preventDefault();
      const { anchor } = pinch;
      const zoom = clampZoom((pinch.zoom * current.spread) / pinch.spread);
      // A layout of thirty pages on every move stutters. The move only transforms, and the end of the gesture zooms.
      style().transform = `translate(${current.x - pinch.x}px,${current.y - pinch.y}px) scale(${zoom / pinch.zoom})`;
      commit = () => zoomTo(zoom, anchor && { ...anchor, x: current.x, y: current.y });
    },
    touchend: end,
    touchcancel: end,
    wheel(event: WheelEvent) {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoomTo(
        clampZoom(currentZoom() * Math.exp(-event.deltaY / 200)),
        anchorAt(scroller, event.clientX, event.clientY),
      );
    },
  };
  for (const [name, handler] of Object.entries(handlers))
    scroller.addEventListener(name, handler as EventListener, {
      passive: false,
      signal: controller.signal,
    });
  const steps: Readonly<Record<string, () => number>> = {
    "0": () => 1,
    "-": () => stepZoom(currentZoom(), -1),
    "+": () => stepZoom(currentZoom(), 1),
    "=": () => stepZoom(currentZoom(), 1),
  };
  // On the whole dialog, so that the keys work with any focus inside, except in an input.
  scroller.closest("dialog")?.addEventListener(
    "keydown",
    (event) => {
      const isInput = (event.target as Element).closest("input");
      const isBrowserShortcut = event.ctrlKey || event.metaKey || event.altKey;
      const step = isInput || isBrowserShortcut ? undefined : steps[event.key];
      if (step) zoomTo(step(), anchorInMiddle(scroller));
    },
    { signal: controller.signal },
  );
  return () => controller.abort();
}
