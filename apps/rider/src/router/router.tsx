import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from "react";
import { currentAddress } from "./receipt-address";

// Seven addresses need no router library: this is the history API and a subscription to it.

// Marks the entries that this app pushed: going back from one of them stays in the app.
const IN_APP = "in-app";

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
  if (address) window.history.replaceState(window.history.state, "", address);
}

export function navigate(path: string, { replace = false } = {}): void {
  if (replace) window.history.replaceState(window.history.state, "", path);
  else window.history.pushState(IN_APP, "", path);
  announce();
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
  if (window.history.state === IN_APP) window.history.back();
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
