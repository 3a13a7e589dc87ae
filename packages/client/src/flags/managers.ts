import type { BrowserEnvironment } from "./browser-environment";
import type { FlagCache } from "./flag-client";
import { indexedDbCache } from "./indexed-db";

/** Local storage. Both functions may throw: it can be blocked or full. */
export interface LocalStorage {
  read(key: string): string | null;
  write(key: string, value: string): void;
}

/** What the flags need of the browser. Each can be replaced in a test. */
export interface Managers {
  /** The device's clock in milliseconds since 1970, which a person can set. */
  now(): number;
  /** A monotonic clock in milliseconds. */
  ticks(): number;
  /** Starts a timer. Returns how to stop it. */
  after(delayMs: number, run: () => void): () => void;
  /** The persistent cache. `scope` keeps the clients of one origin apart. */
  cache(scope: string): FlagCache;
  /** Local storage. */
  readonly storage: LocalStorage;
  /** Logs a warning to the console. */
  warn(message: string): void;
  /** What only the background work needs; by default the browser's own. */
  readonly environment?: BrowserEnvironment;
}

/** The managers of a browser. On a server they work too, without a cache. */
export function browserManagers(): Managers {
  return {
    now: Date.now,
    ticks: () => performance.now(),
    after(delayMs, run) {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
    cache: indexedDbCache,
    storage: {
      read: (key) => localStorage.getItem(key),
      write: (key, value) => localStorage.setItem(key, value),
    },
    // Not on a server, where the missing storage is no fault.
    warn: (message) => globalThis.document && console.warn(message),
  };
}
