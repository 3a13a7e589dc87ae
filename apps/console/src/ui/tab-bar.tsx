import { useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import tabStyles from "./tabs.module.css";

/** Returns the ends beyond which there are more tabs: `start`, `end`, or both. */
function hiddenEnds({ scrollLeft, scrollWidth, clientWidth }: HTMLElement): string {
  // From right to left, the position is negative.
  const at = Math.abs(scrollLeft);
  const ends = [at > 1 && "start", at < scrollWidth - clientWidth - 1 && "end"];
  return ends.filter(Boolean).join(" ");
}

/**
 * Links to the pages of one subject. Scrolls the current one into view on narrow screens, and fades
 * the ends beyond which there are more.
 */
export function TabBar(props: { readonly label: string; readonly children: ReactNode }) {
  const bar = useRef<HTMLElement>(null);
  const [more, setMore] = useState("");
  const update = () => bar.current && setMore(hiddenEnds(bar.current));
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path decides which tab is current
  useEffect(() => {
    const current = bar.current?.querySelector<HTMLElement>("[aria-current=page]");
    const [outer, inner] = [bar.current, current].map((element) =>
      element?.getBoundingClientRect(),
    );
    // Computed here, because scrollIntoView would also scroll the page.
    if (!outer || !inner) return;
    const beyond = Math.max(0, inner.right - outer.right) + Math.min(0, inner.left - outer.left);
    bar.current?.scrollBy({ left: beyond });
  }, [pathname]);
  useEffect(() => {
    const element = bar.current;
    if (!element) return;
    const sizes = new ResizeObserver(() => setMore(hiddenEnds(element)));
    sizes.observe(element);
    return () => sizes.disconnect();
  }, []);
  return (
    <nav
      ref={bar}
      className={tabStyles.tabs}
      aria-label={props.label}
      data-more={more || undefined}
      onScroll={update}
    >
      {props.children}
    </nav>
  );
}
