import { useSyncExternalStore } from "react";
import { readStored, writeStored } from "../storage/storage";

// A counter, without any data of the person whose pages it hides.
const KEY = "musette.freshStarts";

const listeners = new Set<() => void>();

/** Returns how often another person has started afresh on this phone. */
export function freshStarts(): number {
  return Number(readStored("localStorage", KEY) ?? 0);
}

/** Marks all pages shown so far as another person's, in every tab. */
export function countFreshStart(): void {
  writeStored("localStorage", KEY, String(freshStarts() + 1));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // A change in another tab, or a page from the back-forward cache, which received no events.
  window.addEventListener("storage", listener);
  window.addEventListener("pageshow", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
    window.removeEventListener("pageshow", listener);
  };
}

/** A React key for what one person is shown: when it changes, nothing remains on the screen. */
export function useFreshStarts(): number {
  return useSyncExternalStore(subscribe, freshStarts);
}
