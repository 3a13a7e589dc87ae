import type { Behind } from "./behind";
import type { Core } from "./core";

/** A tab that holds the lock for longer is frozen, or its network is: go on without. */
const LOCK_MS = 10_000;
const BACKGROUND_MS = 10_000;
const CACHE_MS = 1_000;

/** In turn with the other tabs, and without them when they take too long. */
function exclusive(
  { managers }: Core,
  behind: Behind,
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
    behind.lock(name, abort.signal, begin).catch(begin);
  });
}

export type Refetch = ReturnType<typeof createRefetch>;

/** Keeps the subscribed flags up to date: one request for all of them, and one tab for all tabs. */
export function createRefetch(core: Core, behind: Behind) {
  const { managers, records, subscriptions } = core;
  /** What was confirmed before is to be asked for again. */
  let sureSinceMs = -Infinity;

  function isNeeded(key: string): boolean {
    const known = records.all.get(key);
    return !known || records.isStale(known) || known.ticksMs < sureSinceMs;
  }

  async function run(): Promise<void> {
    const own = core.person;
    const keys = subscriptions.list();
    const sinceMs = sureSinceMs;
    const isWanted = () => core.person === own && keys.some(isNeeded);
    if (!own || !isWanted()) return;
    await exclusive(core, behind, `${core.name}.${own.id}`, async () => {
      // What another tab fetched while this one waited.
      if (isWanted()) await core.within(CACHE_MS, records.read(keys));
      if (!isWanted()) return;
      const { failure = "network" } = await core.ask(own, keys, false, BACKGROUND_MS);
      // Whatever the service left out, if not all.
      if (core.person === own) records.fail(keys, failure);
    });
    // Subscribed to meanwhile, or changed: not what was asked for in vain.
    const isNew = (key: string) =>
      (sureSinceMs !== sinceMs || !keys.includes(key)) && isNeeded(key);
    if (core.person === own && subscriptions.list().some(isNew)) await run();
  }

  return {
    run,
    /** The configuration has changed, or may have. */
    require() {
      sureSinceMs = managers.ticks();
      if (behind.visible()) void core.refresh();
    },
  };
}
