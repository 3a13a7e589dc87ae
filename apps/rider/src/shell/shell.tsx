import { type ReactNode, useEffect, useRef } from "react";
import { AppearanceSwitch } from "../appearance/appearance-switch";
import { company } from "../company/company";
import { Brand } from "../company/company-mark";
import { LanguageSwitch, useLanguage } from "../language/language";
import { OfflineNote } from "../offline/offline-note";
import { Link, useFragment, usePath } from "../router/router";
import { useUserId } from "../session/session";
import { Navigation } from "./navigation";

export function Shell(props: {
  readonly title: string;
  /** A task fills the screen below the top bar and has its own footer, so the navigation is hidden. */
  readonly task: boolean;
  readonly children: ReactNode;
}) {
  const { texts } = useLanguage();
  const main = useFocusOnArrival();
  const userId = useUserId();

  useEffect(() => {
    document.title = `${props.title} · ${company().name ?? "Musette"}`;
  }, [props.title]);

  return (
    <div className="app" data-task={props.task || undefined}>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place on this page */}
      <a
        className="skip"
        href="#content"
        onClick={(event) => {
          // Without a change of the address: its fragment may be a receipt's number.
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {texts.skip}
      </a>
      <header className="top-bar">
        <Link className="brand" href="/">
          <Brand />
        </Link>
        <Navigation place="top" rider={userId !== undefined} />
        <div className="switches">
          <LanguageSwitch className="language-switch" label={texts.language} />
          <AppearanceSwitch />
        </div>
      </header>
      <OfflineNote />
      <main id="content" ref={main} tabIndex={-1} className={props.task ? "task" : "page"}>
        {props.children}
      </main>
      {!props.task && <Navigation place="bottom" rider={userId !== undefined} />}
    </div>
  );
}

/** Moves the focus to the content after a change of page, as after a page load, for screen readers. */
function useFocusOnArrival() {
  // With its fragment: another receipt is another page.
  const path = `${usePath()}#${useFragment()}`;
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return main;
}
