import type { FlagCache, FlagResult, Peeked } from "./flag-client";
import type { Managers } from "./managers";
import type { Overrides } from "./overrides";
import type { ActiveUser } from "./person";
import type { Subscriptions } from "./subscriptions";
import { hasValue, unanswered } from "./wire";

/** A cached result, for one user with one set of attribute values (`context`). */
export interface Entry {
  readonly key: string;
  readonly person: string;
  readonly context: string;
  readonly result: FlagResult;
  /** The ETag of the response that contained it. */
  readonly tag: string;
}

/** The result of one flag in memory. */
export interface FlagRecord {
  peeked: Peeked;
  /** The cached entry; undefined if the result must not be cached. */
  readonly entry: Entry | undefined;
  readonly tag: string;
  /** Both clocks at the time of the result. The user can set the first; the second may stop in sleep. */
  readonly wallMs: number;
  readonly ticksMs: number;
  /** Whether the exposure has been reported. */
  reported?: boolean;
}

/** A row of the cache: an entry, or the marker for the existence of overrides. */
type Row = Entry & { readonly overrides?: true };

/** The message that a tab broadcasts to the other tabs. */
export type EntryBroadcast = readonly Entry[];

/** The user whose entries are in the cache, and the response that they come from. */
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
  /** Calls the listeners: these flags may have changed. */
  notify(keys: readonly string[]): void;
  /** Broadcasts entries to the other tabs. */
  post(entries: EntryBroadcast): void;
}

export type Records = ReturnType<typeof createRecords>;

/** Creates the store of the current user's results, in memory and in the cache (stale-while-revalidate). */
export function createRecords(context: RecordsContext) {
  const { active, managers, cache, overrides, subscriptions, ttlMs, notify } = context;
  const all = new Map<string, FlagRecord>();
  const openedMs = managers.now();

  const isStale = ({ wallMs, ticksMs }: FlagRecord) =>
    Math.max(managers.now() - wallMs, managers.ticks() - ticksMs) > ttlMs;

  /** Writes to or deletes from the cache. Ignores errors, because the value is already in memory. */
  async function store(key: string, value: Entry | Source | undefined) {
    try {
      await (value ? cache?.set(key, value) : cache?.delete(key));
    } catch {
      // The storage is full or blocked.
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
    // A time of storage in the future means that the clock was set back, so the age is unknown.
    const ticksMs = ageMs < 0 ? -Infinity : managers.ticks() - ageMs;
    const isFresh = wallMs >= openedMs && ageMs >= 0 && ageMs <= ttlMs;
    const peeked: Peeked = hasValue(result)
      ? { result, status: isFresh ? "fresh" : "cached" }
      : { result: { ...result, variation: null }, status: "fallback" };
    all.set(key, { peeked, entry, tag, wallMs, ticksMs });
  }

  /** Takes over entries of the cache or another tab that are newer and for the current user and context. */
  function merge(rows: readonly (Row | undefined)[]) {
    const { person } = active;
    const newer: string[] = [];
    for (const entry of rows) {
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

    /** Stores the results of a response or of the bootstrap and returns them as stored. */
    put(results: ReadonlyMap<string, FlagResult>, tag: string, isAnswer = true) {
      const { person } = active;
      const stored = new Map(results);
      const entries: Entry[] = [];
      for (const [key, received] of results) {
        if (!person || !subscriptions.has(key)) continue;
        const nowMs = managers.now();
        const { dateCached: before, ...bare } = received;
        const dateCached = (!isAnswer && before) || new Date(nowMs).toISOString();
        let result: FlagResult = bare;
        let entry: Entry | undefined;
        if (cache && hasValue(received)) {
          result = { ...bare, dateCached };
          entry = { key, person: person.id, context: person.context(result), result, tag };
          entries.push(entry);
        }
        remember(key, result, entry, tag, isAnswer ? nowMs : Date.parse(dateCached));
        stored.set(key, result);
        void store(ENTRY_PREFIX + key, entry);
      }
      const [first] = entries;
      if (person && first) {
        void store(SOURCE, { person: person.id, version: first.result.version, tag });
        context.post(entries);
      }
      notify([...results.keys()]);
      return stored;
    },

    /** Marks flags without any result as failed. */
    fail(keys: readonly string[], failure: string) {
      const missing = keys.filter((key) => subscriptions.has(key) && !all.has(key));
      for (const key of missing) remember(key, unanswered(failure), undefined, "", -Infinity);
      if (missing.length) notify(missing);
    },

    /** Reads cached entries into memory. */
    async read(keys: readonly string[]): Promise<void> {
      // Without `getAll` the client cannot see the marker for overrides, so it reads them always.
      if (!cache?.getAll) overrides.list();
      if (!cache) return;
      const rows = await (cache.getAll?.(ENTRY_PREFIX) ??
        Promise.all(keys.map(async (key) => cache.get(ENTRY_PREFIX + key))));
      merge(rows as readonly (Row | undefined)[]);
    },

    /** Drops results for another user or other attributes. Returns their keys. */
    forget(): string[] {
      const { person } = active;
      const outdated = [...all].filter(
        ([, { entry }]) =>
          !entry || entry.person !== person?.id || entry.context !== person?.context(entry.result),
      );
      for (const [key] of outdated) all.delete(key);
      return outdated.map(([key]) => key);
    },
  };
}
