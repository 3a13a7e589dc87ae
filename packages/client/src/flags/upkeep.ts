import type { Ask } from "./ask";
import { browserBehind } from "./behind";
import type { FlagCache, FlagClientOptions, FlagEvent } from "./flag-client";
import type { Keep } from "./keep";
import type { Within } from "./limits";
import type { Managers } from "./managers";
import { createMetrics, type MetricValue } from "./metrics";
import { createOutbox } from "./outbox";
import type { Overrides } from "./overrides";
import { createParticipation } from "./participation";
import type { ActiveUser } from "./person";
import type { News, Records } from "./records";
import { createRefetch } from "./refetch";
import type { Note } from "./reports";
import { createSnapshot } from "./snapshot";
import { createStream } from "./stream";
import type { Subscriptions } from "./subscriptions";
import type { Request } from "./transport";

/** How often somebody looks whether anything is stale. */
const CHECK_MS = 60_000;
/** Another node of the service may hear of a change up to a second later. */
const LAG_MS = 1_000;
const LAG_TRIES = 3;
const CHANGED = "changed";
/**
 * In the cache where there are overrides: only then need a page that starts look into local storage, for
 * which it stands still. No flag has an empty key.
 */
const OVERRIDES = "fwf-flags-db:";

interface UpkeepContext {
  readonly options: Pick<FlagClientOptions, "onEvent" | "stream">;
  readonly managers: Managers;
  readonly base: string;
  readonly name: string;
  readonly active: Pick<ActiveUser, "person">;
  readonly cache: FlagCache | null;
  readonly keep: Keep;
  readonly overrides: Overrides;
  readonly records: Records;
  readonly subscriptions: Subscriptions;
  readonly notes: Note[];
  readonly request: Request;
  readonly ask: Ask;
  readonly within: Within;
  digest(value: unknown): string;
  refresh(): void;
  changed(keys: readonly string[]): void;
  unsupported(): void;
}

export type Upkeep = ReturnType<typeof createUpkeep>;

/** What goes on behind the flags, as long as the page lives: nothing in it decides what is shown first. */
export function createUpkeep(context: UpkeepContext) {
  const { active, managers, cache, overrides, records, subscriptions, name } = context;
  const snapshot = createSnapshot(records, overrides.all, () => active.person?.user);
  const behind = managers.behind ?? browserBehind;
  const refetch = createRefetch(context, behind);
  const events = createOutbox<FlagEvent>(context, "events");
  const metrics = createOutbox<MetricValue>(context, "metrics");
  const participate = createParticipation(context, events);
  const measure = createMetrics(context, behind, metrics);
  const channel = behind.channel(name);
  if (!channel) context.unsupported();
  /** What changed between the first answer and the stream may have been missed. */
  let isUnsure = false;

  function follow(to: number, tries: number) {
    refetch.require();
    managers.after(LAG_MS, () => {
      if ((snapshot.current().version ?? to) < to && tries > 0) follow(to, tries - 1);
    });
  }

  const stream = createStream(context, behind, {
    lockName: `${name}.stream`,
    wanted: () =>
      context.options.stream !== false &&
      !!active.person &&
      behind.visible() &&
      subscriptions.list().length > 0,
    changed(to = 0) {
      channel?.post(CHANGED);
      follow(to, LAG_TRIES);
    },
    connected(again) {
      if (again) refetch.require();
      else isUnsure = true;
    },
  });

  function count() {
    for (const [person, what, atMs] of context.notes.splice(0)) {
      if ("metric" in what) measure(person, what, atMs);
      else participate(person, what, atMs);
    }
  }

  let wereThere = false;
  /** Each time, since the cache is emptied for another person. */
  async function tellOverrides() {
    const areThere = overrides.all.size > 0;
    const isNews = areThere || wereThere;
    wereThere = areThere;
    if (!isNews || !cache?.getAll) return;
    try {
      await (areThere ? cache.set(OVERRIDES, { overrides: true }) : cache.delete(OVERRIDES));
    } catch {
      // Full, or blocked.
    }
  }

  function forget() {
    snapshot.forget();
    void tellOverrides();
  }

  function flush() {
    events.flush(true);
    metrics.flush(true);
  }

  /** Those whose time has come are still shown, and say so. */
  function age() {
    for (const [key, known] of records.all) {
      const { result, status } = known.peeked;
      if (status !== "fresh" || !records.isStale(known)) continue;
      known.peeked = { result, status: "cached" };
      context.changed([key]);
    }
  }

  let stopCheck = () => {};
  function check() {
    stopCheck();
    if (!behind.visible()) return;
    stopCheck = managers.after(CHECK_MS, () => {
      // Not at once: at the start of a page every request is one too many.
      if (isUnsure) refetch.require();
      isUnsure = false;
      check();
    });
    age();
    context.refresh();
  }

  channel?.listen((heard) => {
    if (heard === CHANGED) refetch.require();
    else records.adopt(heard as News);
  });
  const stopPage = behind.onPage((event) => {
    stream.sync();
    if (event === "hide") return flush();
    stream.wake();
    check();
  });
  check();
  stream.sync();
  count();
  overrides.list();
  // Whoever looked before has seen nothing.
  context.changed([]);

  return {
    snapshot: snapshot.current,
    forget,
    run: refetch.run,
    sync: stream.sync,
    count,
    post: (news: News) => channel?.post(news),
    close() {
      flush();
      stopCheck();
      stopPage();
      stream.sync();
      channel?.close();
    },
  };
}
