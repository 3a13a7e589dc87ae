import { within } from "../session/timing";
import type { FlagCache } from "./flag-client";
import type { Managers } from "./managers";
import type { Person } from "./person";
import type { Entry, Records } from "./records";
import type { Subscriptions } from "./subscriptions";
import { BACKGROUND_MS, BLOCKING_MS, type Transport } from "./transport";
import { readResults } from "./wire";

/** A tab that holds the lock for longer is frozen, or its network is: go on without. */
const LOCK_MS = 10_000;
const CACHE_MS = 1_000;
/** Another node of the service may hear of a change up to a second later. */
const LAG_MS = 1_000;
const LAG_TRIES = 3;
const ROW = "version_flags:current";

/** Which answer the entries come from, for `If-None-Match`. */
export interface Row {
  readonly person: string;
  readonly version: number;
  readonly tag: string | undefined;
  readonly list: string;
  readonly count: number;
  readonly dateCached: string;
}

export interface News {
  readonly entries: readonly (readonly [string, Entry | undefined])[];
  readonly row?: Row | undefined;
}

interface Setting {
  readonly managers: Managers;
  readonly transport: Transport;
  readonly records: Records;
  readonly subscriptions: Subscriptions;
  readonly cache: FlagCache | undefined;
  readonly path: string;
  readonly lockName: string;
  person(): Person | undefined;
  /** To the other tabs. */
  post(news: News): void;
}

export type Refetch = ReturnType<typeof createRefetch>;

/** Keeps the subscribed flags up to date: one request for all of them, and one tab for all tabs. */
export function createRefetch(setting: Setting) {
  const { managers, transport, records, subscriptions, cache, person } = setting;
  let row: Row | undefined;
  /** A configuration that exists: what is older is to be asked for again. */
  let target = 0;
  /** What was confirmed before is to be asked for again. */
  let sureSinceMs = -Infinity;
  let notBeforeMs = 0;
  let lagged = 0;
  let isForeign = false;
  let flight: Promise<void> | undefined;
  let underWay: readonly string[] = [];

  function isNeeded(key: string): boolean {
    const known = records.all.get(key);
    if (!known || records.isStale(known)) return true;
    return known.version < target || known.ticksMs < sureSinceMs;
  }

  function adoptRow(found: unknown) {
    const other = found as Row | undefined;
    isForeign = !!other && other.person !== person()?.id;
    if (other && !isForeign) row = other;
  }

  /** In turn with the other tabs, and without them when they take too long. */
  function exclusive(name: string, work: () => Promise<void>): Promise<void> {
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
      managers.lock(name, abort.signal, begin).catch(begin);
    });
  }

  function usableTag(list: string, keys: readonly string[]): string | undefined {
    if (!row?.tag || row.list !== list) return undefined;
    const there = keys.filter((key) => records.all.get(key)?.tag === row?.tag);
    // One of them is missing, so that "not modified" would not bring it.
    return there.length === row.count ? row.tag : undefined;
  }

  function afterAnswer(version: number) {
    if (version >= target) {
      lagged = 0;
    } else if (lagged < LAG_TRIES) {
      lagged += 1;
      managers.after(LAG_MS, () => void now());
    } else {
      // Taken back by an operator, or a node that is cut off: its answers are what there is.
      target = version;
      lagged = 0;
    }
  }

  async function ask(own: Person, keys: readonly string[]): Promise<void> {
    const list = JSON.stringify(keys);
    const tag = usableTag(list, keys);
    const sought = target;
    const outcome = await transport.request({
      method: "PUT",
      path: setting.path,
      body: { ...own.user, featureList: keys },
      limitMs: BACKGROUND_MS,
      personal: true,
      tag,
    });
    if (person() !== own) return;
    if ("failure" in outcome) {
      notBeforeMs = managers.ticks() + outcome.retryAfterMs;
      return records.fail(keys, outcome.failure);
    }
    const answer = "body" in outcome ? readResults(outcome.body) : undefined;
    if (answer) {
      const { results, version = sought } = answer;
      const origin = { version, tag: "body" in outcome ? outcome.tag : undefined, confirmed: true };
      const entries = records.put(results, origin);
      const dateCached = new Date(managers.now()).toISOString();
      row = { person: own.id, ...origin, list, count: results.size, dateCached };
      const kept = row;
      records.write((into) => into.set(ROW, kept));
      setting.post({ entries: [...entries], row });
      afterAnswer(version);
    } else if (tag && "unmodified" in outcome) {
      setting.post({ entries: [...records.renew(tag, sought)], row });
    }
    // Whatever the service left out.
    records.fail(keys, "network");
  }

  async function run(): Promise<void> {
    const own = person();
    const keys = subscriptions.list();
    if (!own || managers.ticks() < notBeforeMs || !keys.some(isNeeded)) return;
    underWay = keys;
    const stopWaiting = managers.after(BLOCKING_MS, () => {
      if (person() === own) records.fail(keys, "timeout");
    });
    await exclusive(`${setting.lockName}.${own.id}`, async () => {
      if (person() !== own) return;
      // What another tab fetched while this one waited.
      await within(managers, CACHE_MS, read(keys), undefined);
      if (person() === own && keys.some(isNeeded)) await ask(own, keys);
    });
    stopWaiting();
    const isNew = (key: string) => !keys.includes(key) && isNeeded(key);
    if (person() === own && subscriptions.list().some(isNew)) await run();
  }

  async function read(keys: readonly string[]): Promise<void> {
    const found = cache?.get(ROW);
    await records.read(keys);
    adoptRow(await found);
  }

  function now(): Promise<void> {
    if (flight) return flight;
    underWay = subscriptions.list();
    // A microtask later, so that all that is subscribed to at once is asked for at once.
    const own = Promise.resolve()
      .then(run)
      .finally(() => {
        if (flight === own) flight = undefined;
      });
    flight = own;
    return own;
  }

  return {
    now,
    read,
    isNeeded,
    /** The request that will bring these, if one is under way. */
    bringing: (keys: readonly string[]) =>
      flight && keys.every((key) => underWay.includes(key)) ? flight : undefined,
    /** Another person: what is under way is nobody's any more. */
    drop() {
      flight = undefined;
      underWay = [];
      row = undefined;
      isForeign = false;
      notBeforeMs = 0;
    },
    /** Somebody else's entries lie in the cache. */
    isForeign: () => isForeign,
    hear(news: News) {
      for (const [key, entry] of news.entries) records.adopt(key, entry);
      adoptRow(news.row);
    },
    /** The configuration has changed, to this version where that is known. */
    require(version: number | undefined) {
      if (version === undefined) sureSinceMs = managers.ticks();
      else target = Math.max(target, version);
    },
    target: () => target,
  };
}
