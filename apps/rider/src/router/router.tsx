import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from "react";
import { freshStarts } from "./fresh-start";
import { currentAddress } from "./receipt-address";

// Seven addresses need no router library: this is the history API and a subscription to it.

interface Entry {
  /** This app pushed it: going back from it stays in the app. */
  readonly inApp?: true;
  /** How often somebody had started afresh when it was shown; another number is another person. */
  readonly starts: number;
}

function entry(): Entry | undefined {
  const { state } = window.history;
  return typeof state?.starts === "number" ? state : undefined;
}

const marked = (inApp: true | undefined): Entry => ({
  ...(inApp && { inApp }),
  starts: freshStarts(),
});

const listeners = new Set<() => void>();

function announce(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("popstate", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("popstate", listener);
  };
}

/** Before anything is shown or fetched: an address of before must not stay in the history. */
export function modernizeAddress(): void {
  const address = currentAddress(window.location.pathname);
  // Come to by a link, it is of whoever has the phone now; come back to, it may be another's.
  window.history.replaceState(entry() ?? marked(undefined), "", address);
}

export function navigate(path: string, { replace = false } = {}): void {
  if (replace) window.history.replaceState(marked(entry()?.inApp), "", path);
  else window.history.pushState(marked(true), "", path);
  announce();
}

/** Whether this entry of the history was shown to somebody after whom another person started afresh. */
export function isOfAnother(): boolean {
  const starts = entry()?.starts;
  return starts !== undefined && starts !== freshStarts();
}

export function usePath(): string {
  return useSyncExternalStore(subscribe, () => window.location.pathname);
}

/** What stands behind the `#`, and so was never sent to a server. */
export function useFragment(): string {
  return useSyncExternalStore(subscribe, () => window.location.hash.slice(1));
}

/** Back to where the person came from in this app; to `otherwise` when the page was opened directly. */
export function goBack(otherwise: string): void {
  if (entry()?.inApp) window.history.back();
  else navigate(otherwise, { replace: true });
}

export function Link({ href, onClick, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement>) {
  function follow(event: MouseEvent<HTMLAnchorElement>): void {
    onClick?.(event);
    const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (event.defaultPrevented || event.button !== 0 || opensElsewhere || href === undefined)
      return;
    event.preventDefault();
    navigate(href);
  }
  return <a {...rest} href={href} onClick={follow} />;
}
