// Polyfills of browser APIs that the web client needs and Node 20 lacks: `EventSource` and `localStorage`.

const CONNECTING = 0;
const OPEN = 1;
const CLOSED = 2;

/** Implements the HTML standard: reconnects after a lost connection, and gives up on an error status. */
export class FetchEventSource extends EventTarget {
  /** All open instances, so that a scenario can inspect and close them. */
  static open = new Set();

  constructor(url) {
    super();
    this.url = url;
    this.readyState = CONNECTING;
    this.retryMs = 100;
    FetchEventSource.open.add(this);
    this.#connect();
  }

  async #connect() {
    this.abort = new AbortController();
    try {
      const headers = { Accept: "text/event-stream" };
      if (this.lastEventId) headers["Last-Event-ID"] = this.lastEventId;
      const response = await fetch(this.url, { headers, signal: this.abort.signal });
      const type = response.headers.get("content-type") ?? "";
      if (response.status !== 200 || !type.startsWith("text/event-stream")) return this.#fail(true);
      this.readyState = OPEN;
      this.dispatchEvent(new Event("open"));
      await this.#read(response.body);
    } catch {
      // Reported below, like every lost connection.
    }
    this.#fail(false);
  }

  async #read(body) {
    let text = "";
    const decoder = new TextDecoder();
    for await (const bytes of body) {
      text += decoder.decode(bytes, { stream: true });
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        this.#tell(text.slice(0, end));
        text = text.slice(end + 2);
      }
    }
  }

  #tell(block) {
    let type = "message";
    const data = [];
    for (const line of block.split("\n")) {
      const [name, ...rest] = line.split(": ");
      const value = rest.join(": ");
      if (name === "data") data.push(value);
      if (name === "event") type = value;
      if (name === "id") this.lastEventId = value;
    }
    if (data.length > 0) {
      this.dispatchEvent(Object.assign(new Event(type), { data: data.join("\n") }));
    }
  }

  #fail(isFinal) {
    if (this.readyState === CLOSED) return;
    this.readyState = isFinal ? CLOSED : CONNECTING;
    this.dispatchEvent(new Event("error"));
    if (!isFinal) this.timer = setTimeout(() => this.#connect(), this.retryMs);
  }

  close() {
    this.readyState = CLOSED;
    clearTimeout(this.timer);
    this.abort?.abort();
    FetchEventSource.open.delete(this);
  }
}

class MemoryStorage {
  #items = new Map();

  getItem(key) {
    return this.#items.get(key) ?? null;
  }

  setItem(key, value) {
    this.#items.set(key, String(value));
  }

  removeItem(key) {
    this.#items.delete(key);
  }

  clear() {
    this.#items.clear();
  }
}

export function pretendToBeABrowser() {
  globalThis.EventSource = FetchEventSource;
  globalThis.localStorage = new MemoryStorage();
}
