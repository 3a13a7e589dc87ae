import { browserBehind } from "./behind";
import type { Core } from "./core";
import type { FlagEvent } from "./flag-client";
import { createMetrics, type MetricValue } from "./metrics";
import { createOutbox } from "./outbox";
import { createParticipation } from "./participation";
import type { News } from "./records";
import { createRefetch } from "./refetch";
import { createSnapshot } from "./snapshot";
import { createStream } from "./stream";

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

export type Upkeep = ReturnType<typeof createUpkeep>;

/** What goes on behind the flags, as long as the page lives: nothing in it decides what is shown first. */
export function createUpkeep(core: Core) {
  const { managers, cache, overrides, records, subscriptions, name } = core;
  const snapshot = createSnapshot(records, overrides.all, () => core.person?.user);
  const behind = managers.behind ?? browserBehind;
  const refetch = createRefetch(core, behind);
  const events = createOutbox<FlagEvent>(core, "events");
  const metrics = createOutbox<MetricValue>(core, "metrics");
  const participate = createParticipation(core, events);
  const measure = createMetrics(core, behind, metrics);
  const channel = behind.channel(name);
  if (!channel) core.unsupported();
  /** What changed between the first answer and the stream may have been missed. */
  let isUnsure = false;

  function follow(to: number, tries: number) {
    refetch.require();
    managers.after(LAG_MS, () => {
      if ((snapshot.current().version ?? to) < to && tries > 0) follow(to, tries - 1);
    });
  }

  const stream = createStream(core, behind, {
    lockName: `${name}.stream`,
    wanted: () =>
      core.options.stream !== false &&
      !!core.person &&
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
    for (const [person, what, atMs] of core.notes.splice(0)) {
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
      core.changed([key]);
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
    core.refresh();
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
  core.changed([]);

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
