import type { Ask } from "./ask";
import type { Behind } from "./behind";
import type { Within } from "./limits";
import type { Managers } from "./managers";
import type { ActiveUser } from "./person";
import type { Records } from "./records";
import type { Subscriptions } from "./subscriptions";

/** A tab that holds the lock for longer is frozen, or its network is: go on without. */
const LOCK_MS = 10_000;
const BACKGROUND_MS = 10_000;
const CACHE_MS = 1_000;

/** In turn with the other tabs, and without them when they take too long. */
function exclusive(
  managers: Pick<Managers, "after">,
  behind: Pick<Behind, "lock">,
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

interface RefetchContext {
  readonly active: Pick<ActiveUser, "person">;
  readonly managers: Pick<Managers, "ticks" | "after">;
  readonly records: Records;
  readonly subscriptions: Pick<Subscriptions, "list">;
  readonly name: string;
  readonly ask: Ask;
  readonly within: Within;
  refresh(): void;
}

/** Keeps the subscribed flags up to date: one request for all of them, and one tab for all tabs. */
export function createRefetch(
  { active, managers, records, subscriptions, name, ask, within, refresh }: RefetchContext,
  behind: Pick<Behind, "lock" | "visible">,
) {
  /** What was confirmed before is to be asked for again. */
  let sureSinceMs = -Infinity;

  function isNeeded(key: string): boolean {
    const known = records.all.get(key);
    return !known || records.isStale(known) || known.ticksMs < sureSinceMs;
  }

  async function run(): Promise<void> {
    const own = active.person;
    const keys = subscriptions.list();
    const sinceMs = sureSinceMs;
    const isWanted = () => active.person === own && keys.some(isNeeded);
    if (!own || !isWanted()) return;
    await exclusive(managers, behind, `${name}.${own.id}`, async () => {
      // What another tab fetched while this one waited.
      if (isWanted()) await within(CACHE_MS, records.read(keys));
      if (!isWanted()) return;
      // What came with one ETag is asked for with it again, unless a part of it is missing.
      const tag = keys[0] && records.all.get(keys[0])?.tag;
      const isTagged = (key: string) => records.all.get(key)?.tag === tag;
      const usable = tag && keys.every(isTagged) ? tag : undefined;
      const { failure, results } = await ask(own, keys, false, BACKGROUND_MS, usable);
      if (active.person !== own) return;
      if (usable && !failure && !results) {
        const same = [...records.all].filter(([key]) => keys.includes(key) && isTagged(key));
        records.put(new Map(same.map(([key, { peeked }]) => [key, peeked.result])), usable);
      }
      // Whatever the service left out, if not all.
      records.fail(keys, failure ?? "network");
    });
    // Subscribed to meanwhile, or changed: not what was asked for in vain.
    const isNew = (key: string) =>
      (sureSinceMs !== sinceMs || !keys.includes(key)) && isNeeded(key);
    if (active.person === own && subscriptions.list().some(isNew)) await run();
  }

  return {
    run,
    /** The configuration has changed, or may have. */
    require() {
      sureSinceMs = managers.ticks();
      if (behind.visible()) refresh();
    },
  };
}
