import { type CSSProperties, type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { type Anchor, anchorInMiddle, pageInView, restoreAnchor } from "./zoom";

interface SurfaceProps {
  readonly zoom: number;
  readonly onZoom: (zoom: number) => void;
  readonly onPlace: (page: number) => void;
  /** This page was drawn on the screen, and in view. */
  readonly onShown: (page: number) => void;
  readonly label: string;
  readonly lang: string | undefined;
  readonly children: ReactNode;
}

/** What scrolls and zooms. It holds the place that a person looks at still while sizes change. */
export function Surface({ zoom, onZoom, onPlace, onShown, ...props }: SurfaceProps) {
  const { label, lang, children } = props;
  const scroller = useRef<HTMLElement>(null as never);
  const held = useRef<Anchor>(undefined);
  const zoomNow = useRef(zoom);
  const restore = () => restoreAnchor(scroller.current, held.current);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the one document that it shows
  useEffect(() => {
    const element = scroller.current;
    // "Try again" goes away when it is pressed, and must not take the focus along.
    if (document.activeElement === document.body) element.focus();
    const resized = new ResizeObserver(restore);
    resized.observe(element);
    // Where it cannot be fetched the document is there all the same: the buttons zoom, and nothing is
    // said to be shown.
    const watching = import("./once-drawn").then(
      (drawn) => [
        drawn.watchShown(element, onShown),
        drawn.listenGestures(
          element,
          () => zoomNow.current,
          (next, anchor) => {
            held.current = anchor;
            onZoom(next);
          },
        ),
      ],
      () => [],
    );
    return () => {
      watching.then((ends) => {
        for (const end of ends) end();
      });
      resized.disconnect();
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: exactly when the zoom has changed
  useLayoutEffect(() => {
    zoomNow.current = zoom;
    restore();
  }, [zoom]);

  const hold = () => {
    held.current = anchorInMiddle(scroller.current);
  };
  useEffect(() => {
    if (!held.current) hold();
  });

  return (
    <section
      ref={scroller}
      className="mu-viewer-surface"
      aria-label={label}
      lang={lang}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      style={{ "--mu-viewer-zoom": zoom } as CSSProperties}
      onScroll={(event) => {
        hold();
        const page = pageInView(event.currentTarget);
        if (page) onPlace(page);
      }}
    >
      {children}
    </section>
  );
}
