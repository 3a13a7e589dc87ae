import type { BrowserEnvironment } from "./browser-environment";
import type { FlagCache } from "./flag-client";
import { indexedDbCache } from "./indexed-db";

/** Access to local storage. Both functions may throw, because it can be blocked or full. */
export interface LocalStorage {
  read(key: string): string | null;
  write(key: string, value: string): void;
}

/** The browser features that a flag client uses. Tests can replace each of them. */
export interface Managers {
  /** Returns the device's clock in milliseconds since 1970. The user can change this clock. */
  now(): number;
  /** Returns a monotonic clock in milliseconds. */
  ticks(): number;
  /** Starts a timer. Returns a function that stops it. */
  after(delayMs: number, run: () => void): () => void;
  /** Creates the persistent cache. `scope` separates the clients of one origin. */
  cache(scope: string): FlagCache;
  /** The browser's local storage, or a replacement. */
  readonly storage: LocalStorage;
  /** Logs a warning to the console. */
  warn(message: string): void;
  /** Features that only the background work uses. Default: those of the browser. */
  readonly environment?: BrowserEnvironment;
}

/** Returns the managers of a browser. They also work on a server, but without a cache. */
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
    // Silent on a server, where storage is always missing.
    warn: (message) => globalThis.document && console.warn(message),
  };
}
