import { useSyncExternalStore } from "react";
import { readStored, writeStored } from "../storage/storage";

// A number, and nothing of the person whom it puts away.
const KEY = "musette.freshStarts";

const listeners = new Set<() => void>();

/** How often somebody has started afresh as somebody else on this phone. */
export function freshStarts(): number {
  return Number(readStored("localStorage", KEY) ?? 0);
}

/** From now on the pages of before are another person's, in every tab. */
export function countFreshStart(): void {
  writeStored("localStorage", KEY, String(freshStarts() + 1));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab; and the back-forward cache, which brings a page back that has heard of nothing.
  window.addEventListener("storage", listener);
  window.addEventListener("pageshow", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
    window.removeEventListener("pageshow", listener);
  };
}

/** A key for what one person is shown: with another one, nothing of it is left on the screen. */
export function useFreshStarts(): number {
  return useSyncExternalStore(subscribe, freshStarts);
}
