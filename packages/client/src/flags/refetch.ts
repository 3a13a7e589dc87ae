import type { BrowserEnvironment } from "./browser-environment";
import type { FetchResults } from "./fetch-results";
import type { Within } from "./limits";
import type { Managers } from "./managers";
import type { ActiveUser } from "./person";
import type { Records } from "./records";
import type { Subscriptions } from "./subscriptions";

/** A tab that holds the lock longer than this is frozen or has no network. Others then work without the lock. */
const LOCK_MS = 10_000;
const BACKGROUND_MS = 10_000;
const CACHE_MS = 1_000;

/** Runs `work` while holding the lock, or without the lock if waiting takes too long. */
function exclusive(
  managers: Pick<Managers, "after">,
  environment: Pick<BrowserEnvironment, "lock">,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  return new Promise((resolve) => {
    const abort = new AbortController();
    let started = false;
    async function start() {
      if (started) return;
      started = true;
      stop();
      await work().catch(() => {});
      resolve();
    }
    const stop = managers.after(LOCK_MS, () => {
      abort.abort();
      void start();
    });
    environment.lock(name, abort.signal, start).catch(start);
  });
}

export type Refetch = ReturnType<typeof createRefetch>;

interface RefetchContext {
  readonly active: Pick<ActiveUser, "person">;
  readonly managers: Pick<Managers, "ticks" | "after">;
  readonly records: Records;
  readonly subscriptions: Pick<Subscriptions, "list">;
  readonly name: string;
  readonly fetch: FetchResults;
  readonly within: Within;
  refresh(): void;
}

/** Revalidates the subscribed flags: one tab sends one request for all flags and all tabs. */
export function createRefetch(
  { active, managers, records, subscriptions, name, fetch, within, refresh }: RefetchContext,
  environment: Pick<BrowserEnvironment, "lock" | "visible">,
) {
  /** Results from before this time may be outdated (monotonic clock). */
  let validSinceMs = -Infinity;

  function isNeeded(key: string): boolean {
    const record = records.all.get(key);
    return !record || records.isStale(record) || record.ticksMs < validSinceMs;
  }

  async function run(): Promise<void> {
    const person = active.person;
    const keys = subscriptions.list();
    const sinceMs = validSinceMs;
    const isWanted = () => active.person === person && keys.some(isNeeded);
    if (!person || !isWanted()) return;
    await exclusive(managers, environment, `${name}.${person.id}`, async () => {
      // Another tab may have fetched them while this one waited.
      if (isWanted()) await within(CACHE_MS, records.read(keys));
      if (!isWanted()) return;
      // The client sends If-None-Match only if all of the results have this ETag.
      const tag = keys[0] && records.all.get(keys[0])?.tag;
      const isTagged = (key: string) => records.all.get(key)?.tag === tag;
      const sharedTag = tag && keys.every(isTagged) ? tag : undefined;
      const { failure, results } = await fetch(person, keys, false, BACKGROUND_MS, sharedTag);
      if (active.person !== person) return;
      if (sharedTag && !failure && !results) {
        const unchanged = [...records.all].filter(([key]) => keys.includes(key) && isTagged(key));
        records.put(new Map(unchanged.map(([key, { peeked }]) => [key, peeked.result])), sharedTag);
      }
      // The flags that the service left out, or all flags after a failed request.
      records.fail(keys, failure ?? "network");
    });
    // Runs again for flags that were subscribed or changed meanwhile, but not for flags that just failed.
    const isNew = (key: string) =>
      (validSinceMs !== sinceMs || !keys.includes(key)) && isNeeded(key);
    if (active.person === person && subscriptions.list().some(isNew)) await run();
  }

  return {
    run,
    /** Marks all results as outdated, because the configuration has changed or may have changed. */
    invalidate() {
      validSinceMs = managers.ticks();
      if (environment.visible()) refresh();
    },
  };
}
