import { isFrugal } from "@musette/client/http";

/** What is known of one question to the server. */
export interface Answer<T> {
  /** The newest answer. It stays when a later question fails. */
  readonly data?: T | undefined;
  /** Why the newest question failed; undefined after one that did not. */
  readonly error?: unknown;
  readonly isFetching: boolean;
}

/** One component that shows an answer. */
export interface Reader<T> {
  fetch(): Promise<T>;
  /** There is nothing to show yet, and no answer for a while. */
  slow(): void;
  /** What this reader asked was answered. */
  answered(): void;
  changed(): void;
}

// SPECIFICATION §9 names these as SWR has them: a host's screens behave alike, whichever library they use.
const DEDUPE_MS = 2_000;
const FOCUS_THROTTLE_MS = 5_000;
const slowMs = () => (isFrugal() ? 5_000 : 3_000);
const retryMs = () => (isFrugal() ? 10_000 : 5_000);
const MAX_DOUBLINGS = 8;

interface Row {
  answer: Answer<unknown>;
  readonly readers: Set<Reader<unknown>>;
  /** Stands for the newest question; an answer to another one comes too late. */
  newest: object;
  /** In flight, or answered less than `DEDUPE_MS` ago. */
  busy: boolean;
  failures: number;
  retry?: ReturnType<typeof setTimeout> | undefined;
}

const FIRST: Answer<never> = { isFetching: true };

const isActive = () =>
  globalThis.document?.visibilityState !== "hidden" && globalThis.navigator?.onLine !== false;

/**
 * Answers by name, shared by all that read them: stale-while-revalidate. One is asked for when its first
 * reader comes, when the page comes to the front or finds a network, and again after a failure, with
 * exponential backoff.
 */
export class Answers {
  private readonly rows = new Map<string, Row>();

  /** What there is now. Of a question that nobody has asked: that it is about to be. */
  peek<T>(name: string): Answer<T> {
    return (this.rows.get(name)?.answer ?? FIRST) as Answer<T>;
  }

  /** Asks, unless somebody just has, and goes on asking until the returned function is called. */
  read<T>(name: string, reader: Reader<T>): () => void {
    const row = this.row(name);
    const own = reader as Reader<unknown>;
    row.readers.add(own);
    const ask = () => void this.askOnce(row, own);
    let notBefore = Date.now() + FOCUS_THROTTLE_MS;
    const onFocus = () => {
      const now = Date.now();
      if (now <= notBefore || !isActive()) return;
      notBefore = now + FOCUS_THROTTLE_MS;
      ask();
    };
    const onOnline = () => isActive() && ask();
    addEventListener("focus", onFocus);
    document.addEventListener("visibilitychange", onFocus);
    addEventListener("online", onOnline);
    ask();
    return () => {
      row.readers.delete(own);
      if (row.readers.size === 0) clearTimeout(row.retry);
      removeEventListener("focus", onFocus);
      document.removeEventListener("visibilitychange", onFocus);
      removeEventListener("online", onOnline);
    };
  }

  /** Asks anew, whoever has just asked. Resolves when it is answered or has failed. */
  async refetch(name: string): Promise<void> {
    const row = this.row(name);
    const [reader] = row.readers;
    if (reader) await this.ask(row, reader);
  }

  /** Asks anew for all that is shown, of the names that begin so. */
  async refetchAll(start: string): Promise<void> {
    const names = [...this.rows.keys()].filter((name) => name.startsWith(start));
    await Promise.all(names.map((name) => this.refetch(name)));
  }

  /** Stores an answer that somebody else fetched. One that is on its way is older than this one. */
  learn(name: string, data: unknown): void {
    const row = this.row(name);
    row.newest = {};
    row.busy = false;
    this.settle(row, { data, isFetching: false });
  }

  private row(name: string): Row {
    const known = this.rows.get(name);
    if (known) return known;
    const row: Row = { answer: FIRST, readers: new Set(), newest: {}, busy: false, failures: 0 };
    this.rows.set(name, row);
    return row;
  }

  private settle(row: Row, answer: Answer<unknown>): void {
    row.answer = answer;
    for (const reader of [...row.readers]) reader.changed();
  }

  private async askOnce(row: Row, reader: Reader<unknown>): Promise<void> {
    if (!row.busy) await this.ask(row, reader);
  }

  private async ask(row: Row, reader: Reader<unknown>): Promise<void> {
    clearTimeout(row.retry);
    row.busy = true;
    const question = {};
    row.newest = question;
    const isNewest = () => row.newest === question;
    if (!row.answer.isFetching) this.settle(row, { ...row.answer, isFetching: true });
    const isSlow = () => {
      if (isNewest()) for (const one of [...row.readers]) one.slow();
    };
    const slow = row.answer.data === undefined ? setTimeout(isSlow, slowMs()) : undefined;
    try {
      const data = await reader.fetch();
      if (!isNewest()) return;
      row.failures = 0;
      reader.answered();
      this.settle(row, { data, isFetching: false });
      setTimeout(() => {
        if (isNewest()) row.busy = false;
      }, DEDUPE_MS);
    } catch (error) {
      if (!isNewest()) return;
      row.busy = false;
      this.settle(row, { ...row.answer, error, isFetching: false });
      this.retryLater(row);
    } finally {
      clearTimeout(slow);
    }
  }

  /** Coming to the front, and finding a network, ask anyway. */
  private retryLater(row: Row): void {
    if (row.readers.size === 0 || !isActive()) return;
    row.failures += 1;
    const jitter = Math.random() + 0.5;
    const backoff = jitter * 2 ** Math.min(row.failures, MAX_DOUBLINGS) * retryMs();
    row.retry = setTimeout(() => {
      const [reader] = row.readers;
      if (reader) void this.askOnce(row, reader);
    }, backoff);
  }
}
