import { isFrugal } from "@musette/client/http";

/** The state of a query: its data, error and whether it is being fetched. */
export interface QueryState<T> {
  /** The newest data. Stays when a later request fails. */
  readonly data?: T | undefined;
  /** The error of the newest request; undefined if it succeeded. */
  readonly error?: unknown;
  readonly isFetching: boolean;
}

/** A component that shows a query. */
export interface Observer<T> {
  fetch(): Promise<T>;
  /** Called when there is no data to show and no response for some time. */
  slow(): void;
  /** Called when a request of this observer has succeeded. */
  answered(): void;
  /** Called when the state of the query has changed. */
  changed(): void;
}

// The values are those of SWR, as SPECIFICATION §9 requires, so that screens of a host behave alike with any library.
const DEDUPE_MS = 2_000;
const FOCUS_THROTTLE_MS = 5_000;
const slowMs = () => (isFrugal() ? 5_000 : 3_000);
const retryMs = () => (isFrugal() ? 10_000 : 5_000);
const MAX_DOUBLINGS = 8;

interface Query {
  state: QueryState<unknown>;
  readonly observers: Set<Observer<unknown>>;
  /** Identifies the newest request. Responses to other requests are ignored. */
  newest: object;
  /** Whether a request is in flight or has succeeded less than `DEDUPE_MS` ago. */
  busy: boolean;
  failures: number;
  retry?: ReturnType<typeof setTimeout> | undefined;
}

const FIRST: QueryState<never> = { isFetching: true };

const isActive = () =>
  globalThis.document?.visibilityState !== "hidden" && globalThis.navigator?.onLine !== false;

/**
 * A cache of queries by name, shared by all components (stale-while-revalidate). It fetches a query when its
 * first observer subscribes, when the page gets focus or is online again, and after a failure with exponential
 * backoff.
 */
export class QueryCache {
  private readonly queries = new Map<string, Query>();

  /** Returns the current state. A query without a request so far counts as being fetched. */
  peek<T>(name: string): QueryState<T> {
    return (this.queries.get(name)?.state ?? FIRST) as QueryState<T>;
  }

  /** Fetches the query unless it was just fetched, and keeps it current until the returned function is called. */
  subscribe<T>(name: string, observer: Observer<T>): () => void {
    const query = this.query(name);
    query.observers.add(observer);
    const fetch = () => void this.fetchOnce(query, observer);
    let notBefore = Date.now() + FOCUS_THROTTLE_MS;
    const onFocus = () => {
      const now = Date.now();
      if (now <= notBefore || !isActive()) return;
      notBefore = now + FOCUS_THROTTLE_MS;
      fetch();
    };
    const onOnline = () => isActive() && fetch();
    addEventListener("focus", onFocus);
    document.addEventListener("visibilitychange", onFocus);
    addEventListener("online", onOnline);
    fetch();
    return () => {
      query.observers.delete(observer);
      if (query.observers.size === 0) clearTimeout(query.retry);
      removeEventListener("focus", onFocus);
      document.removeEventListener("visibilitychange", onFocus);
      removeEventListener("online", onOnline);
    };
  }

  /** Fetches again, even if the query was just fetched. Resolves after the response or error. */
  async refetch(name: string): Promise<void> {
    const query = this.query(name);
    const [observer] = query.observers;
    if (observer) await this.fetch(query, observer);
  }

  /** Fetches all observed queries again whose name has this prefix. */
  async refetchAll(prefix: string): Promise<void> {
    const names = [...this.queries.keys()].filter((name) => name.startsWith(prefix));
    await Promise.all(names.map((name) => this.refetch(name)));
  }

  /** Stores data from another source. Ignores a request in flight, because it is older. */
  store(name: string, data: unknown): void {
    const query = this.query(name);
    query.newest = {};
    query.busy = false;
    this.settle(query, { data, isFetching: false });
  }

  private query(name: string): Query {
    const existing = this.queries.get(name);
    if (existing) return existing;
    const query: Query = {
      state: FIRST,
      observers: new Set(),
      newest: {},
      busy: false,
      failures: 0,
    };
    this.queries.set(name, query);
    return query;
  }

  private settle(query: Query, state: QueryState<unknown>): void {
    query.state = state;
    for (const observer of [...query.observers]) observer.changed();
  }

  private async fetchOnce(query: Query, observer: Observer<unknown>): Promise<void> {
    if (!query.busy) await this.fetch(query, observer);
  }

  private async fetch(query: Query, observer: Observer<unknown>): Promise<void> {
    clearTimeout(query.retry);
    query.busy = true;
    const request = {};
    query.newest = request;
    const isNewest = () => query.newest === request;
    if (!query.state.isFetching) this.settle(query, { ...query.state, isFetching: true });
    const isSlow = () => {
      if (isNewest()) for (const one of [...query.observers]) one.slow();
    };
    const slow = query.state.data === undefined ? setTimeout(isSlow, slowMs()) : undefined;
    try {
      const data = await observer.fetch();
      if (!isNewest()) return;
      query.failures = 0;
      observer.answered();
      this.settle(query, { data, isFetching: false });
      setTimeout(() => {
        if (isNewest()) query.busy = false;
      }, DEDUPE_MS);
    } catch (error) {
      if (!isNewest()) return;
      query.busy = false;
      this.settle(query, { ...query.state, error, isFetching: false });
      this.retryLater(query);
    } finally {
      clearTimeout(slow);
    }
  }

  /** Schedules a retry. A hidden or offline page needs none, because focus and online fetch again. */
  private retryLater(query: Query): void {
    if (query.observers.size === 0 || !isActive()) return;
    query.failures += 1;
    const jitter = Math.random() + 0.5;
    const backoff = jitter * 2 ** Math.min(query.failures, MAX_DOUBLINGS) * retryMs();
    query.retry = setTimeout(() => {
      const [observer] = query.observers;
      if (observer) void this.fetchOnce(query, observer);
    }, backoff);
  }
}
