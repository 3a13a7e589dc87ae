import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from "react";
import { freshStarts } from "./fresh-start";
import { currentAddress } from "./receipt-address";

// Seven addresses do not need a router library: this uses the history API and a subscription to it.

interface Entry {
  /** This app added the entry: going back from it stays in the app. */
  readonly inApp?: true;
  /** The number of fresh starts when the entry was shown; a different number now means another person. */
  readonly starts: number;
}

function entry(): Entry | undefined {
  const { state } = window.history;
  return typeof state?.starts === "number" ? state : undefined;
}

const entryState = (inApp: true | undefined): Entry => ({
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

/** Replaces a former address before anything is shown or fetched: it must not stay in the history. */
export function replaceFormerAddress(): void {
  const address = currentAddress(window.location.pathname);
  // A page opened by a link belongs to the current person. A page that was gone back to may be
  // another's.
  window.history.replaceState(entry() ?? entryState(undefined), "", address);
}

export function navigate(path: string, { replace = false } = {}): void {
  if (replace) window.history.replaceState(entryState(entry()?.inApp), "", path);
  else window.history.pushState(entryState(true), "", path);
  announce();
}

/** Whether this history entry was shown to a person before another person started afresh. */
export function belongsToAnotherPerson(): boolean {
  const starts = entry()?.starts;
  return starts !== undefined && starts !== freshStarts();
}

export function usePath(): string {
  return useSyncExternalStore(subscribe, () => window.location.pathname);
}

/** Returns the part of the address after `#`, which was never sent to a server. */
export function useFragment(): string {
  return useSyncExternalStore(subscribe, () => window.location.hash.slice(1));
}

/** Goes back to the previous page of this app; to `otherwise` if the page was opened directly. */
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
