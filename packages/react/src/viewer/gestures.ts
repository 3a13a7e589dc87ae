import { type Anchor, anchorAt, anchorInMiddle, clampZoom, stepZoom } from "./zoom";

export type ZoomTo = (zoom: number, anchor: Anchor | undefined) => void;

interface Fingers {
  readonly spread: number;
  readonly x: number;
  readonly y: number;
}

interface Pinch extends Fingers {
  readonly zoom: number;
  readonly anchor: Anchor | undefined;
}

function fingers({ touches: [a, b] }: TouchEvent): Fingers | undefined {
  return (
    a &&
    b && {
      spread: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) || 1,
      x: (a.clientX + b.clientX) / 2,
      y: (a.clientY + b.clientY) / 2,
    }
  );
}

/** What takes taps and keys for itself, such as the tools above the text. */
const CONTROLS = "button, input, label, summary";

const isForControl = ({ target }: Event) => !!(target as Element).closest(CONTROLS);

/**
 * Pinch, double tap, ctrl+wheel (which is also what a touchpad's pinch sends), and the keys + - 0.
 * Touch events, not pointer events: where one finger scrolls, the browser ends both pointers with
 * `pointercancel` as soon as the second one moves; only a cancelled `touchmove` stops it.
 */
export function listenGestures(
  scroller: HTMLElement,
  currentZoom: () => number,
  zoomTo: ZoomTo,
): () => void {
  const ended = new AbortController();
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
      const start = fingers(event);
      if (!start) return;
      event.preventDefault();
      const box = (scroller.firstElementChild as HTMLElement).getBoundingClientRect();
      style().transformOrigin = `${start.x - box.left}px ${start.y - box.top}px`;
      pinch = { ...start, zoom: currentZoom(), anchor: anchorAt(scroller, start.x, start.y) };
    },
    touchmove(event: TouchEvent) {
      const now = fingers(event);
      // A finger that scrolls is on its way to somewhere, not tapping.
      tap.time = 0;
      if (!now || !pinch) return;
      event.preventDefault();
      const { anchor } = pinch;
      const zoom = clampZoom((pinch.zoom * now.spread) / pinch.spread);
      // Laying out thirty pages at every move stutters: the fingers move a picture, the end commits.
      style().transform = `translate(${now.x - pinch.x}px,${now.y - pinch.y}px) scale(${zoom / pinch.zoom})`;
      commit = () => zoomTo(zoom, anchor && { ...anchor, x: now.x, y: now.y });
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
      signal: ended.signal,
    });
  const steps: Readonly<Record<string, () => number>> = {
    "0": () => 1,
    "-": () => stepZoom(currentZoom(), -1),
    "+": () => stepZoom(currentZoom(), 1),
    "=": () => stepZoom(currentZoom(), 1),
  };
  // Of the whole dialog: the keys work wherever its focus is, except where words are typed.
  scroller.closest("dialog")?.addEventListener(
    "keydown",
    (event) => {
      const isTyped = (event.target as Element).closest("input");
      const isBrowsers = event.ctrlKey || event.metaKey || event.altKey;
      const step = isTyped || isBrowsers ? undefined : steps[event.key];
      if (step) zoomTo(step(), anchorInMiddle(scroller));
    },
    { signal: ended.signal },
  );
  return () => ended.abort();
}
