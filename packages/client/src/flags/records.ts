import type { FlagCache, FlagResult, Peeked } from "./flag-client";
import type { Managers } from "./managers";
import type { Overrides } from "./overrides";
import type { ActiveUser } from "./person";
import type { Subscriptions } from "./subscriptions";
import { hasValue, unanswered } from "./wire";

/** A result as it is cached: for one person in one context. */
export interface Entry {
  readonly key: string;
  readonly person: string;
  readonly context: string;
  readonly result: FlagResult;
  /** The ETag of the answer that it came in. */
  readonly tag: string;
}

/** What is known of one flag. */
export interface FlagRecord {
  peeked: Peeked;
  /** What is cached of it; undefined where it must not be. */
  readonly entry: Entry | undefined;
  readonly tag: string;
  /** Both clocks at that time: a person can set the first, and the monotonic one may stop in sleep. */
  readonly wallMs: number;
  readonly ticksMs: number;
  /** The exposure has been reported. */
  reported?: boolean;
}

/** What the cache holds: an entry, or the note that there are overrides. */
type Row = Entry & { readonly overrides?: true };

/** What a tab broadcasts to the others. */
export type EntryBroadcast = readonly Entry[];

/** Whose entries the cache holds, and which response they come from. */
export interface Source {
  readonly person: string;
  readonly version: number | undefined;
  readonly tag: string;
}

export const SOURCE = "version_flags:current";

const ENTRY_PREFIX = "fwf-flags-db:";

interface RecordsContext {
  readonly active: Pick<ActiveUser, "person">;
  readonly managers: Pick<Managers, "now" | "ticks">;
  readonly cache: FlagCache | null;
  readonly overrides: Pick<Overrides, "list">;
  readonly subscriptions: Pick<Subscriptions, "has">;
  readonly ttlMs: number;
  /** Call listeners: some of these flags have changed. */
  notify(keys: readonly string[]): void;
  /** Broadcast to the other tabs. */
  post(entries: EntryBroadcast): void;
}

export type Records = ReturnType<typeof createRecords>;

/** The results of the present person, in memory and in the cache (stale-while-revalidate). */
export function createRecords(context: RecordsContext) {
  const { active, managers, cache, overrides, subscriptions, ttlMs, notify } = context;
  const all = new Map<string, FlagRecord>();
  const openedMs = managers.now();

  const isStale = ({ wallMs, ticksMs }: FlagRecord) =>
    Math.max(managers.now() - wallMs, managers.ticks() - ticksMs) > ttlMs;

  /** Best effort: the value is in memory already. */
  async function store(key: string, value: Entry | Source | undefined) {
    try {
      await (value ? cache?.set(key, value) : cache?.delete(key));
    } catch {
      // Full, or blocked.
    }
  }

  function remember(
    key: string,
    result: FlagResult,
    entry: Entry | undefined,
    tag: string,
    wallMs: number,
  ) {
    const ageMs = managers.now() - wallMs;
    // Stored in the future: the clock was set back, so the age is unknown.
    const ticksMs = ageMs < 0 ? -Infinity : managers.ticks() - ageMs;
    const isFresh = wallMs >= openedMs && ageMs >= 0 && ageMs <= ttlMs;
    const peeked: Peeked = hasValue(result)
      ? { result, status: isFresh ? "fresh" : "cached" }
      : { result: { ...result, variation: null }, status: "fallback" };
    all.set(key, { peeked, entry, tag, wallMs, ticksMs });
  }

  /** Takes entries of the cache or another tab that are for this person and context, and newer. */
  function merge(found: readonly (Row | undefined)[]) {
    const { person } = active;
    const newer: string[] = [];
    for (const entry of found) {
      if (entry?.overrides) overrides.list();
      if (!person || entry?.person !== person.id || !subscriptions.has(entry.key)) continue;
      const { key, result, tag, context } = entry;
      const wallMs = Date.parse(result.dateCached ?? "");
      const before = all.get(key);
      if (context !== person.context(result) || (before?.entry && before.wallMs >= wallMs))
        continue;
      remember(key, result, entry, tag, wallMs);
      newer.push(key);
    }
    if (newer.length) notify(newer);
  }

  return {
    all,
    isStale,
    merge,

    /** Stores the results of a response or of the bootstrap. Returns them as stored. */
    put(results: ReadonlyMap<string, FlagResult>, tag: string, isAnswer = true) {
      const { person } = active;
      const shown = new Map(results);
      const entries: Entry[] = [];
      for (const [key, given] of results) {
        if (!person || !subscriptions.has(key)) continue;
        const nowMs = managers.now();
        const { dateCached: before, ...bare } = given;
        const dateCached = (!isAnswer && before) || new Date(nowMs).toISOString();
        let result: FlagResult = bare;
        let entry: Entry | undefined;
        if (cache && hasValue(given)) {
          result = { ...bare, dateCached };
          entry = { key, person: person.id, context: person.context(result), result, tag };
          entries.push(entry);
        }
        remember(key, result, entry, tag, isAnswer ? nowMs : Date.parse(dateCached));
        shown.set(key, result);
        void store(ENTRY_PREFIX + key, entry);
      }
      const [first] = entries;
      if (person && first) {
        void store(SOURCE, { person: person.id, version: first.result.version, tag });
        context.post(entries);
      }
      notify([...results.keys()]);
      return shown;
    },

    /** Marks flags of which nothing else is known as failed. */
    fail(keys: readonly string[], failure: string) {
      const missing = keys.filter((key) => subscriptions.has(key) && !all.has(key));
      for (const key of missing) remember(key, unanswered(failure), undefined, "", -Infinity);
      if (missing.length) notify(missing);
    },

    /** Reads cached entries into memory. */
    async read(keys: readonly string[]): Promise<void> {
      // Without `getAll` the note about overrides is not seen.
      if (!cache?.getAll) overrides.list();
      if (!cache) return;
      const found = await (cache.getAll?.(ENTRY_PREFIX) ??
        Promise.all(keys.map(async (key) => cache.get(ENTRY_PREFIX + key))));
      merge(found as readonly (Row | undefined)[]);
    },

    /** Drops what is for another person or other attributes. Returns the keys. */
    forget(): string[] {
      const { person } = active;
      const gone = [...all].filter(
        ([, { entry }]) =>
          !entry || entry.person !== person?.id || entry.context !== person?.context(entry.result),
      );
      for (const [key] of gone) all.delete(key);
      return gone.map(([key]) => key);
    },
  };
}
