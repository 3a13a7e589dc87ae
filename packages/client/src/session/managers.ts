import { browserChannel, type Channel } from "./channel";
import { type Cookies, memoryCookies, pageCookies } from "./cookies";
import { browserLock, type Lock } from "./lock";
import { browserShare, type Share } from "./shared";

/** The browser features that a session uses. Tests can replace each of them. */
export interface Managers {
  /** The address of the page; empty outside of a page. */
  readonly page: string;
  /** The cookies of the page. */
  readonly cookies: Cookies;
  /** The state that all tabs share. */
  readonly share: Share;
  /** The lock of all tabs. */
  readonly lock: Lock;
  /** The messages between tabs. */
  readonly channel: Channel;
  /** Returns the device's clock in milliseconds since 1970. */
  now(): number;
  /** Returns a random number in [0, 1). */
  random(): number;
  /** Starts a timer. Returns a function that stops it. */
  after(delayMs: number, run: () => void): () => void;
  /** Calls `run` when the page is online or visible again. Returns a function that stops it. */
  onWake(run: () => void): () => void;
}

function onWake(run: () => void): () => void {
  const page = globalThis.document;
  if (!page) return () => {};
  const visible = () => page.visibilityState === "visible" && run();
  // `pageshow` fires after the back-forward cache, in which timers and messages were lost.
  const watch = (action: "addEventListener" | "removeEventListener") => {
    globalThis[action]("online", run);
    globalThis[action]("pageshow", run);
    page[action]("visibilitychange", visible);
  };
  watch("addEventListener");
  return () => watch("removeEventListener");
}

/** Returns the managers of a browser. On a server they keep the cookies in memory. */
export function browserManagers(): Managers {
  const page = globalThis.document;
  return {
    page: globalThis.location?.href ?? "",
    cookies: page ? pageCookies(page) : memoryCookies(),
    share: browserShare(),
    lock: browserLock,
    channel: browserChannel(),
    now: Date.now,
    random: Math.random,
    after(delayMs, run) {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
    onWake,
  };
}
