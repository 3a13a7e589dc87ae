import { useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import tabStyles from "./tabs.module.css";

/** Links to the pages of one subject. Scrolls the current one into view on narrow screens. */
export function TabBar(props: { readonly label: string; readonly children: ReactNode }) {
  const bar = useRef<HTMLElement>(null);
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
  return (
    <nav ref={bar} className={tabStyles.tabs} aria-label={props.label}>
      {props.children}
    </nav>
  );
}
