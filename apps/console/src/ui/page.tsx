import { type ReactNode, useEffect, useRef } from "react";
import { rememberVisit } from "../storage/recent";
import styles from "./page.module.css";
import { WithTools } from "./page-tools";

let arrivals = 0;

/**
 * Returns the address of the page, unless the navigation links to it: such pages are not listed as
 * recent.
 */
function recentHref(): string | undefined {
  const path = location.pathname.replace(/^\/console(?=\/)/, "");
  return /^\/[^/]+\/./.test(path) ? path + location.search : undefined;
}

/** Moves the focus to the title if the focused element was removed, such as a pressed button. */
export function keepFocus(): void {
  if (document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>("h1[tabindex]")?.focus({ preventScroll: true });
}

/** A page with its title. The title gets the focus on navigation, so that screen readers announce it. */
export function Page(props: {
  readonly title: string;
  readonly intro?: ReactNode;
  /** Not listed under recent pages. */
  readonly isNowhere?: boolean;
  readonly children: ReactNode;
}) {
  const { title, isNowhere } = props;
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    document.title = `${title} · Musette Console`;
    const href = recentHref();
    if (href && !isNowhere) rememberVisit({ href, title });
  }, [title, isNowhere]);

  useEffect(() => {
    // Not on the first page: the browser sets the focus after a load.
    if (arrivals++ > 0) heading.current?.focus({ preventScroll: true });
  }, []);

  const titles = (
    <header className={styles.pageHeader}>
      <h1 ref={heading} tabIndex={-1}>
        <bdi>{props.title}</bdi>
      </h1>
      {props.intro && (
        <p className="note">
          <bdi>{props.intro}</bdi>
        </p>
      )}
    </header>
  );
  return <WithTools titles={titles}>{props.children}</WithTools>;
}
