import type { BrowserEnvironment } from "./browser-environment";
import type { FetchResults } from "./fetch-results";
import type { Within } from "./limits";
import type { Managers } from "./managers";
import type { ActiveUser } from "./person";
import type { Records } from "./records";
import type { Subscriptions } from "./subscriptions";

/** A tab that holds the lock for longer is frozen, or its network is: go on without the lock. */
const LOCK_MS = 10_000;
const BACKGROUND_MS = 10_000;
const CACHE_MS = 1_000;

/** Runs `work` while holding the lock, or without it when waiting takes too long. */
function exclusive(
  managers: Pick<Managers, "after">,
  environment: Pick<BrowserEnvironment, "lock">,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  return new Promise((resolve) => {
    const abort = new AbortController();
    let begun = false;
    async function begin() {
      if (begun) return;
      begun = true;
      stop();
      await work().catch(() => {});
      resolve();
    }
    const stop = managers.after(LOCK_MS, () => {
      abort.abort();
      void begin();
    });
    environment.lock(name, abort.signal, begin).catch(begin);
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

/** Revalidates the subscribed flags: one request for all of them, from one tab for all tabs. */
export function createRefetch(
  { active, managers, records, subscriptions, name, fetch, within, refresh }: RefetchContext,
  environment: Pick<BrowserEnvironment, "lock" | "visible">,
) {
  /** Results from before this time may be outdated (monotonic clock). */
  let validSinceMs = -Infinity;

  function isNeeded(key: string): boolean {
    const known = records.all.get(key);
    return !known || records.isStale(known) || known.ticksMs < validSinceMs;
  }

  async function run(): Promise<void> {
    const own = active.person;
    const keys = subscriptions.list();
    const sinceMs = validSinceMs;
    const isWanted = () => active.person === own && keys.some(isNeeded);
    if (!own || !isWanted()) return;
    await exclusive(managers, environment, `${name}.${own.id}`, async () => {
      // Another tab may have fetched them while this one waited.
      if (isWanted()) await within(CACHE_MS, records.read(keys));
      if (!isWanted()) return;
      // If-None-Match only when all of them came with this ETag.
      const tag = keys[0] && records.all.get(keys[0])?.tag;
      const isTagged = (key: string) => records.all.get(key)?.tag === tag;
      const usable = tag && keys.every(isTagged) ? tag : undefined;
      const { failure, results } = await fetch(own, keys, false, BACKGROUND_MS, usable);
      if (active.person !== own) return;
      if (usable && !failure && !results) {
        const same = [...records.all].filter(([key]) => keys.includes(key) && isTagged(key));
        records.put(new Map(same.map(([key, { peeked }]) => [key, peeked.result])), usable);
      }
      // What the service left out, or all of them.
      records.fail(keys, failure ?? "network");
    });
    // Subscribed to or changed meanwhile; not what has just failed.
    const isNew = (key: string) =>
      (validSinceMs !== sinceMs || !keys.includes(key)) && isNeeded(key);
    if (active.person === own && subscriptions.list().some(isNew)) await run();
  }

  return {
    run,
    /** Marks all results as outdated: the configuration has changed, or may have. */
    invalidate() {
      validSinceMs = managers.ticks();
      if (environment.visible()) refresh();
    },
  };
}
