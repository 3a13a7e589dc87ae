import { type CSSProperties, type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { type Anchor, anchorInMiddle, pageInView, restoreAnchor } from "./zoom";

interface SurfaceProps {
  readonly zoom: number;
  readonly onZoom: (zoom: number) => void;
  readonly onPlace: (page: number) => void;
  /** Called when a page was rendered while in view. */
  readonly onShown: (page: number) => void;
  readonly label: string;
  readonly lang: string | undefined;
  readonly children: ReactNode;
}

/** The area that scrolls and zooms. It keeps the visible position when sizes change. */
export function Surface({ zoom, onZoom, onPlace, onShown, ...props }: SurfaceProps) {
  const { label, lang, children } = props;
  const scroller = useRef<HTMLElement>(null as never);
  const anchor = useRef<Anchor>(undefined);
  const currentZoom = useRef(zoom);
  const restore = () => restoreAnchor(scroller.current, anchor.current);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, because it shows one document
  useEffect(() => {
    const element = scroller.current;
    // Takes the focus if it was lost with the removed "Try again" button.
    if (document.activeElement === document.body) element.focus();
    const observer = new ResizeObserver(restore);
    observer.observe(element);
    // If the chunk cannot be loaded, the document is still readable. The buttons zoom, but no page is reported as
    // shown.
    const listeners = import("./once-drawn").then(
      (module) => [
        module.watchShown(element, onShown),
        module.listenGestures(
          element,
          () => currentZoom.current,
          (next, newAnchor) => {
            anchor.current = newAnchor;
            onZoom(next);
          },
        ),
      ],
      () => [],
    );
    return () => {
      listeners.then((stopFunctions) => {
        for (const stop of stopFunctions) stop();
      });
      observer.disconnect();
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only after a change of the zoom
  useLayoutEffect(() => {
    currentZoom.current = zoom;
    restore();
  }, [zoom]);

  const updateAnchor = () => {
    anchor.current = anchorInMiddle(scroller.current);
  };
  useEffect(() => {
    if (!anchor.current) updateAnchor();
  });

  return (
    <section
      ref={scroller}
      className="mu-viewer-surface"
      aria-label={label}
      lang={lang}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
      tabIndex={0}
      style={{ "--mu-viewer-zoom": zoom } as CSSProperties}
      onScroll={(event) => {
        updateAnchor();
        const page = pageInView(event.currentTarget);
        if (page) onPlace(page);
      }}
    >
      {children}
    </section>
  );
}
