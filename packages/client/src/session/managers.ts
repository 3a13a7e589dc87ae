import { browserChannel, type Channel } from "./channel";
import { type Cookies, memoryCookies, pageCookies } from "./cookies";
import { browserLock, type Lock } from "./lock";
import { browserShare, type Share } from "./shared";

/** What a session needs of the browser. Each can be replaced in a test. */
export interface Managers {
  /** The page's address; empty where there is no page. */
  readonly page: string;
  readonly cookies: Cookies;
  readonly share: Share;
  readonly lock: Lock;
  readonly channel: Channel;
  now(): number;
  /** A random number in [0, 1). */
  random(): number;
  /** Starts a timer. Returns how to stop it. */
  after(delayMs: number, run: () => void): () => void;
  /** Runs when the page is online or visible again. Returns how to stop. */
  onWake(run: () => void): () => void;
}

function onWake(run: () => void): () => void {
  const page = globalThis.document;
  if (!page) return () => {};
  const visible = () => page.visibilityState === "visible" && run();
  // `pageshow`: back from the back-forward cache, where timers and messages were lost.
  const watch = (action: "addEventListener" | "removeEventListener") => {
    globalThis[action]("online", run);
    globalThis[action]("pageshow", run);
    page[action]("visibilitychange", visible);
  };
  watch("addEventListener");
  return () => watch("removeEventListener");
}

/** The managers of a browser; on a server they keep everything in memory. */
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
