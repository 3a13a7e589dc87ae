import { type ReactNode, useEffect, useRef } from "react";
import { rememberVisit } from "../storage/recent";
import styles from "./page.module.css";

let arrivals = 0;

/** The address within the console; the pages that the navigation lists need not be remembered. */
function deepHere(): string | undefined {
  const here = location.pathname.replace(/^\/console(?=\/)/, "");
  return /^\/[^/]+\/./.test(here) ? here + location.search : undefined;
}

/** What had the focus is gone, as a button that has done its work: to the title, as after a change of page. */
export function keepFocus(): void {
  if (document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>("h1[tabindex]")?.focus({ preventScroll: true });
}

/** A page with its title, to which a screen reader goes after a change of page, as after a load. */
export function Page(props: {
  readonly title: string;
  readonly intro?: ReactNode;
  /** Where there is nothing that anybody would come back to. */
  readonly isNowhere?: boolean;
  readonly children: ReactNode;
}) {
  const { title, isNowhere } = props;
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    document.title = `${title} · Musette Console`;
    const href = deepHere();
    if (href && !isNowhere) rememberVisit({ href, title });
  }, [title, isNowhere]);

  useEffect(() => {
    // Not at the first one: there the browser has put the focus where it belongs.
    if (arrivals++ > 0) heading.current?.focus({ preventScroll: true });
  }, []);

  return (
    <>
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
      {props.children}
    </>
  );
}
