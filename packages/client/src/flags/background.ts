import { browserEnvironment } from "./browser-environment";
import type { FetchResults } from "./fetch-results";
import type { FlagCache, FlagClientOptions, FlagEvent } from "./flag-client";
import type { Within } from "./limits";
import type { Managers } from "./managers";
import { createMetrics, type MetricValue } from "./metrics";
import { createOutbox } from "./outbox";
import type { Overrides } from "./overrides";
import { createParticipation } from "./participation";
import type { ActiveUser, Person } from "./person";
import type { EntryBroadcast, Records } from "./records";
import { createRefetch } from "./refetch";
import type { PendingReport } from "./reports";
import { createSnapshot } from "./snapshot";
import type { JsonStorage } from "./storage";
import { createStream } from "./stream";
import type { Subscriptions } from "./subscriptions";
import type { Request } from "./transport";

/** How often results are checked for staleness. */
const CHECK_MS = 60_000;
/** Another node of the service may receive a change up to one second later. */
const LAG_MS = 1_000;
const LAG_TRIES = 3;
const CHANGED = "changed";
/**
 * A key in the cache that marks the existence of overrides. A starting page reads local storage, which is
 * synchronous, only if this key exists. It cannot collide with a flag, because no flag has an empty key.
 */
const OVERRIDES = "fwf-flags-db:";

interface BackgroundContext {
  readonly options: Pick<FlagClientOptions, "onEvent" | "stream">;
  readonly managers: Managers;
  readonly base: string;
  readonly apiVersion: string;
  readonly name: string;
  readonly active: Pick<ActiveUser, "person">;
  readonly cache: FlagCache | null;
  readonly storage: JsonStorage;
  readonly overrides: Overrides;
  readonly records: Records;
  readonly subscriptions: Subscriptions;
  readonly queue: PendingReport[];
  readonly request: Request;
  readonly fetch: FetchResults;
  readonly within: Within;
  hash(value: unknown): string;
  refresh(): void;
  notify(keys: readonly string[]): void;
  warn(): void;
}

export type Background = ReturnType<typeof createBackground>;

/** Creates revalidation, stream, reports and broadcasts. Loaded lazily, as the first value does not need them. */
export function createBackground(context: BackgroundContext) {
  const { active, managers, cache, overrides, records, subscriptions, name } = context;
  const snapshot = createSnapshot(records, overrides.all, () => active.person?.user);
  const environment = managers.environment ?? browserEnvironment;
  const refetch = createRefetch(context, environment);
  const events = createOutbox<FlagEvent>(context, "events");
  const metrics = createOutbox<MetricValue>(context, "metrics");
  const participate = createParticipation(context, events);
  const measure = createMetrics(context, environment, metrics);
  const channel = environment.channel(name);
  if (!channel) context.warn();
  /** Whether the client may have missed a change between the first response and the start of the stream. */
  let mayBeOutdated = false;

  /** Refetches until the service answers with this version. */
  function follow(to: number, tries: number) {
    refetch.invalidate();
    managers.after(LAG_MS, () => {
      if ((snapshot.current().version ?? to) < to && tries > 0) follow(to, tries - 1);
    });
  }

  const stream = createStream(context, environment, {
    lockName: `${name}.stream`,
    isNeeded: () =>
      context.options.stream !== false &&
      !!active.person &&
      environment.visible() &&
      subscriptions.list().length > 0,
    changed(to = 0) {
      channel?.post(CHANGED);
      follow(to, LAG_TRIES);
    },
    connected(isReconnect) {
      if (isReconnect) refetch.invalidate();
      else mayBeOutdated = true;
    },
  });

  /** Sends the queued exposures and metric values to their outboxes. */
  function count() {
    for (const [person, report, atMs] of context.queue.splice(0)) {
      if ("metric" in report) measure(person, report, atMs);
      else participate(person, report, atMs);
    }
  }

  let hadOverrides = false;
  /** Updates the marker in the cache. Runs after every change, because the cache is emptied for another user. */
  async function markOverrides() {
    const hasOverrides = overrides.all.size > 0;
    const isRelevant = hasOverrides || hadOverrides;
    hadOverrides = hasOverrides;
    if (!isRelevant || !cache?.getAll) return;
    try {
      await (hasOverrides ? cache.set(OVERRIDES, { overrides: true }) : cache.delete(OVERRIDES));
    } catch {
      // The storage is full or blocked.
    }
  }

  function forget() {
    snapshot.forget();
    void markOverrides();
  }

  function flush() {
    events.flush(true);
    metrics.flush(true);
  }

  /** Sets the status of stale results to `cached`. The host may still show them. */
  function markStale() {
    for (const [key, record] of records.all) {
      const { result, status } = record.peeked;
      if (status !== "fresh" || !records.isStale(record)) continue;
      record.peeked = { result, status: "cached" };
      context.notify([key]);
    }
  }

  let stopCheck = () => {};
  function check() {
    stopCheck();
    if (!environment.visible()) return;
    stopCheck = managers.after(CHECK_MS, () => {
      // Delayed, because a starting page already sends many requests.
      if (mayBeOutdated) refetch.invalidate();
      mayBeOutdated = false;
      check();
    });
    markStale();
    context.refresh();
  }

  channel?.listen((message) => {
    if (message === CHANGED) refetch.invalidate();
    else records.merge(message as EntryBroadcast);
  });
  const stopPage = environment.onPage((event) => {
    stream.sync();
    if (event === "hide") return flush();
    stream.wake();
    check();
  });
  check();
  stream.sync();
  count();
  overrides.list();
  // A snapshot taken before this point is empty, so its subscribers must read it again.
  context.notify([]);

  return {
    snapshot: snapshot.current,
    forget,
    run: refetch.run,
    sync: stream.sync,
    count,
    post: (entries: EntryBroadcast) => channel?.post(entries),
    allFlags: async (person: Person) => (await import("./listing")).allFlags(context, person),
    flagKeys: async () => (await import("./listing")).flagKeys(context),
    close() {
      flush();
      stopCheck();
      stopPage();
      stream.sync();
      channel?.close();
    },
  };
}
