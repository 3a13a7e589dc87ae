/** Messages between the tabs of one origin. */
export interface Channel {
  post(message: unknown): void;
  listen(onMessage: (message: unknown) => void): void;
  close(): void;
}

/** `wake`: the page is focused, visible or online again. `hide`: the page may be closed at any moment. */
export type PageEvent = "wake" | "hide";

/** The browser features that the background work uses: page visibility, other tabs, event streams. */
export interface BrowserEnvironment {
  /** Returns a random number in [0, 1). */
  random(): number;
  /** Whether the page is visible. False on a server, so that nothing is refreshed there. */
  visible(): boolean;
  /** Calls `run` on page events. Returns a function that stops it. */
  onPage(run: (event: PageEvent) => void): () => void;
  /** Runs `work` while this tab holds the lock. Rejects if `signal` is aborted before that. */
  lock(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void>;
  /** Opens a broadcast channel. Returns undefined if the browser does not support them. */
  channel(name: string): Channel | undefined;
  /** Opens a Server-Sent Events stream that does not reconnect. Returns a function that closes it. */
  stream(url: string, onMessage: (data: string) => void, onLost: () => void): () => void;
}

function onPage(run: (event: PageEvent) => void): () => void {
  const page = globalThis.document;
  if (!page) return () => {};
  const wake = () => run("wake");
  const hide = () => run("hide");
  const changeVisibility = () => run(page.visibilityState === "visible" ? "wake" : "hide");
  const watch = (action: "addEventListener" | "removeEventListener") => {
    for (const name of ["online", "focus", "pageshow"]) globalThis[action](name, wake);
    // Safari does not always fire `visibilitychange` when a page is left.
    globalThis[action]("pagehide", hide);
    page[action]("visibilitychange", changeVisibility);
  };
  watch("addEventListener");
  return () => watch("removeEventListener");
}

function channel(name: string): Channel | undefined {
  // Node also has BroadcastChannel, but an open channel would keep the process alive.
  if (!globalThis.document || !globalThis.BroadcastChannel) return undefined;
  const broadcast = new BroadcastChannel(name);
  return {
    post: (message) => broadcast.postMessage(message),
    listen(onMessage) {
      broadcast.onmessage = (event) => onMessage(event.data);
    },
    close: () => broadcast.close(),
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
    // EventSource would reconnect with the same ticket, which is valid for one connection only.
    source.onerror = () => {
      source.close();
      onLost();
    };
    return () => source.close();
  },
};
