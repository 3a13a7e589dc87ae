export interface Channel {
  post(message: unknown): void;
  listen(hear: (message: unknown) => void): void;
  close(): void;
}

export type PageEvent = "wake" | "hide";

/** The facts of the browser behind the flags: who looks, the other tabs, the stream. */
export interface Behind {
  /** In [0, 1). */
  random(): number;
  /** Never on a server: nobody looks, so nothing is kept up to date. */
  visible(): boolean;
  /** `wake`: focused, shown, or online again. `hide`: perhaps the last moment of the page. */
  onPage(run: (event: PageEvent) => void): () => void;
  /** Runs `work` when this tab has its turn, or never once `signal` is aborted. */
  lock(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void>;
  /** Nothing where the browser has none. */
  channel(name: string): Channel | undefined;
  /** Returns how to close it. Once lost it stays lost. */
  stream(url: string, hear: (data: string) => void, lost: () => void): () => void;
}

function onPage(run: (event: PageEvent) => void): () => void {
  const page = globalThis.document;
  if (!page) return () => {};
  const wake = () => run("wake");
  const hide = () => run("hide");
  const turn = () => run(page.visibilityState === "visible" ? "wake" : "hide");
  const watch = (action: "addEventListener" | "removeEventListener") => {
    for (const name of ["online", "focus", "pageshow"]) globalThis[action](name, wake);
    // Safari does not always tell of the visibility when a page is left.
    globalThis[action]("pagehide", hide);
    page[action]("visibilitychange", turn);
  };
  watch("addEventListener");
  return () => watch("removeEventListener");
}

function channel(name: string): Channel | undefined {
  // Node has it too, where an open channel would keep the process alive.
  if (!globalThis.document || !globalThis.BroadcastChannel) return undefined;
  const open = new BroadcastChannel(name);
  return {
    post: (message) => open.postMessage(message),
    listen(hear) {
      open.onmessage = (event) => hear(event.data);
    },
    close: () => open.close(),
  };
}

export const browserBehind: Behind = {
  random: Math.random,
  visible: () => globalThis.document?.visibilityState === "visible",
  onPage,
  async lock(name, signal, work) {
    const locks = globalThis.navigator?.locks;
    await (locks ? locks.request(name, { signal }, work) : work());
  },
  channel,
  stream(url, hear, lost) {
    const source = new EventSource(url);
    source.onmessage = (event) => hear(event.data);
    // Its own way of coming back would use the ticket a second time.
    source.onerror = () => {
      source.close();
      lost();
    };
    return () => source.close();
  },
};
