/** Messages between the tabs of one origin. */
export interface Channel {
  post(message: unknown): void;
  listen(onMessage: (message: unknown) => void): void;
  close(): void;
}

/** `wake`: focused, shown, or online again. `hide`: possibly the last moment of the page. */
export type PageEvent = "wake" | "hide";

/** What the background work needs of the browser: page visibility, other tabs, event streams. */
export interface BrowserEnvironment {
  /** A random number in [0, 1). */
  random(): number;
  /** Whether the page is visible. False on a server, so that nothing is refreshed there. */
  visible(): boolean;
  /** Calls `run` on page events. Returns how to stop. */
  onPage(run: (event: PageEvent) => void): () => void;
  /** Runs `work` while this tab holds the lock; rejects once `signal` is aborted before that. */
  lock(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void>;
  /** A broadcast channel; undefined where the browser has none. */
  channel(name: string): Channel | undefined;
  /** Opens a Server-Sent Events stream and returns how to close it. It does not reconnect. */
  stream(url: string, onMessage: (data: string) => void, onLost: () => void): () => void;
}

function onPage(run: (event: PageEvent) => void): () => void {
  const page = globalThis.document;
  if (!page) return () => {};
  const wake = () => run("wake");
  const hide = () => run("hide");
  const turn = () => run(page.visibilityState === "visible" ? "wake" : "hide");
  const watch = (action: "addEventListener" | "removeEventListener") => {
    for (const name of ["online", "focus", "pageshow"]) globalThis[action](name, wake);
    // Safari does not always fire `visibilitychange` when a page is left.
    globalThis[action]("pagehide", hide);
    page[action]("visibilitychange", turn);
  };
  watch("addEventListener");
  return () => watch("removeEventListener");
}

function channel(name: string): Channel | undefined {
  // Node has BroadcastChannel too, where an open one would keep the process alive.
  if (!globalThis.document || !globalThis.BroadcastChannel) return undefined;
  const open = new BroadcastChannel(name);
  return {
    post: (message) => open.postMessage(message),
    listen(onMessage) {
      open.onmessage = (event) => onMessage(event.data);
    },
    close: () => open.close(),
  };
}

export const browserEnvironment: BrowserEnvironment = {
  random: Math.random,
  visible: () => globalThis.document?.visibilityState === "visible",
  onPage,
  async lock(name, signal, work) {
    const locks = globalThis.navigator?.locks;
    await (locks ? locks.request(name, { signal }, work) : work());
  },
  channel,
  stream(url, onMessage, onLost) {
    const source = new EventSource(url);
    source.onmessage = (event) => onMessage(event.data);
    // EventSource would reconnect with the same ticket, which is good for one connection.
    source.onerror = () => {
      source.close();
      onLost();
    };
    return () => source.close();
  },
};
