import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { listenGestures } from "./gestures";
import { type Anchor, anchorAt, clampZoom, pageInView, restoreAnchor } from "./zoom";

interface SurfaceProps {
  readonly zoom: number;
  readonly onZoom: (zoom: number) => void;
  readonly onPage: (page: number) => void;
  readonly label: string;
  readonly lang: string | undefined;
  readonly children: ReactNode;
}

interface Held {
  readonly anchor: Anchor;
  readonly x: number;
  readonly y: number;
}

/** What scrolls and zooms. It holds the place that a person looks at still while sizes change. */
export function Surface({ zoom, onZoom, onPage, label, lang, children }: SurfaceProps) {
  const scroller = useRef<HTMLElement>(null);
  const held = useRef<Held>(undefined);
  const latest = useRef({ zoom, onZoom });
  useLayoutEffect(() => {
    latest.current = { zoom, onZoom };
  });

  const hold = (anchor?: Anchor, x?: number, y?: number) => {
    const element = scroller.current;
    if (!element) return;
    const box = element.getBoundingClientRect();
    const atX = x ?? box.left + box.width / 2;
    const atY = y ?? box.top + box.height / 2;
    const found = anchor ?? anchorAt(element, atX, atY);
    held.current = found && { anchor: found, x: atX, y: atY };
  };
  const restore = () => {
    const { current } = held;
    if (current?.anchor.element.isConnected && scroller.current)
      restoreAnchor(scroller.current, current.anchor, current.x, current.y);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: once; what changes is read from `latest`
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    element.focus({ preventScroll: true });
    const end = listenGestures(
      element,
      () => latest.current.zoom,
      (next, x, y, anchor) => {
        hold(anchor, x, y);
        latest.current.onZoom(clampZoom(next));
      },
    );
    const resized = new ResizeObserver(restore);
    resized.observe(element);
    return () => {
      end();
      resized.disconnect();
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: exactly when the zoom has changed
  useLayoutEffect(restore, [zoom]);

  return (
    <section
      ref={scroller}
      className="mu-viewer-surface"
      aria-label={label}
      lang={lang}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      style={{ "--mu-viewer-zoom": zoom } as React.CSSProperties}
      onScroll={() => {
        hold();
        const page = scroller.current && pageInView(scroller.current);
        if (page) onPage(page);
      }}
    >
      {children}
    </section>
  );
}
