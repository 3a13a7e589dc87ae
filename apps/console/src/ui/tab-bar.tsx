import { useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";

/** The pages of one subject, as links; the one that is shown is in view, also on a phone. */
export function TabBar(props: { readonly label: string; readonly children: ReactNode }) {
  const bar = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place marks another tab
  useEffect(() => {
    const current = bar.current?.querySelector<HTMLElement>("[aria-current=page]");
    const [outer, inner] = [bar.current, current].map((it) => it?.getBoundingClientRect());
    // By hand: scrollIntoView would also scroll the page.
    if (!outer || !inner) return;
    const beyond = Math.max(0, inner.right - outer.right) + Math.min(0, inner.left - outer.left);
    bar.current?.scrollBy({ left: beyond });
  }, [pathname]);
  return (
    <nav ref={bar} className="tabs" aria-label={props.label}>
      {props.children}
    </nav>
  );
}
