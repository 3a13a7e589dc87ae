import type { Behind } from "./behind";
import type { FlagCache } from "./flag-client";
import { indexedDbCache } from "./indexed-db";

/** Local storage. Both may throw: it may be blocked, and it may be full. */
export interface Marks {
  read(key: string): string | null;
  write(key: string, value: string): void;
}

/** Every fact of the browser that the flags depend on, each to be replaced in a test. */
export interface Managers {
  /** The device's clock, which a person can set. */
  now(): number;
  /** Milliseconds that nobody can set back. */
  ticks(): number;
  /** Runs later, unless what it returns is called before. */
  after(delayMs: number, run: () => void): () => void;
  cache(scope: string): FlagCache;
  readonly marks: Marks;
  warn(message: string): void;
  /** What only the upkeep needs; the browser's own where it is absent. */
  readonly behind?: Behind;
}

export function browserManagers(): Managers {
  return {
    now: Date.now,
    ticks: () => performance.now(),
    after(delayMs, run) {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
    cache: indexedDbCache,
    marks: {
      read: (key) => localStorage.getItem(key),
      write: (key, value) => localStorage.setItem(key, value),
    },
    // On a server nobody looks, and nothing is missed.
    warn: (message) => globalThis.document && console.warn(message),
  };
}
