import type { FlagCache, FlagResult, Peeked } from "./flag-client";
import type { Managers } from "./managers";
import type { Overrides } from "./overrides";
import type { ActiveUser, Person } from "./person";
import type { Subscriptions } from "./subscriptions";
import { hasValue, unanswered } from "./wire";

/** As it lies in the cache: of one person, in one context. */
export interface Entry {
  readonly key: string;
  readonly person: string;
  readonly context: string;
  readonly result: FlagResult;
  /** The ETag of the answer that it came in. */
  readonly tag: string;
}

export interface Known {
  peeked: Peeked;
  /** What is in the cache too; nothing where the rule of storing forbids it. */
  readonly entry: Entry | undefined;
  readonly tag: string;
  /** Both clocks at which it was true. The device's own may be set; the other stops in sleep. */
  readonly wallMs: number;
  readonly ticksMs: number;
  /** Its participation is reported, or there is none. */
  reported?: boolean;
}

/** What the cache gives: an entry, or that something was set by hand. */
type Row = Entry & { readonly overrides?: true };

/** For the other tabs. */
export type News = readonly Entry[];

/** Whose entries the cache holds, and which answer they come from. */
export interface Source {
  readonly person: string;
  readonly version: number | undefined;
  readonly tag: string;
}

export const SOURCE = "version_flags:current";

const PLACE = "fwf-flags-db:";

interface RecordsContext {
  readonly active: Pick<ActiveUser, "person">;
  readonly managers: Pick<Managers, "now" | "ticks">;
  readonly cache: FlagCache | null;
  readonly overrides: Pick<Overrides, "list">;
  readonly subscriptions: Pick<Subscriptions, "has">;
  readonly ttlMs: number;
  /** Some of these flags are not what they were. */
  changed(keys: readonly string[]): void;
  /** To the other tabs. */
  post(news: News): void;
}

export type Records = ReturnType<typeof createRecords>;

/** What is known of the present person, in memory and in the cache. */
export function createRecords(context: RecordsContext) {
  const { active, managers, cache, overrides, subscriptions, ttlMs, changed, post } = context;
  const all = new Map<string, Known>();
  const openedMs = managers.now();

  const isStale = ({ wallMs, ticksMs }: Known) =>
    Math.max(managers.now() - wallMs, managers.ticks() - ticksMs) > ttlMs;

  /** What the cache makes of it is its own affair: memory has it. */
  async function store(key: string, value: Entry | Source | undefined) {
    try {
      await (value ? cache?.set(key, value) : cache?.delete(key));
    } catch {
      // Full, or blocked.
    }
  }

  function know(
    key: string,
    result: FlagResult,
    entry: Entry | undefined,
    tag: string,
    wallMs: number,
  ) {
    const ageMs = managers.now() - wallMs;
    // Stored at a time that is yet to come: the clock was set back, and its age is unknown.
    const ticksMs = ageMs < 0 ? -Infinity : managers.ticks() - ageMs;
    const isFresh = wallMs >= openedMs && ageMs >= 0 && ageMs <= ttlMs;
    const peeked: Peeked = hasValue(result)
      ? { result, status: isFresh ? "fresh" : "cached" }
      : { result: { ...result, variation: null }, status: "fallback" };
    all.set(key, { peeked, entry, tag, wallMs, ticksMs });
  }

  /** From the cache or another tab: only what is this person's, in this context, and news. */
  function adopt(found: readonly (Row | undefined)[]) {
    const { person } = active;
    const news: string[] = [];
    for (const entry of found) {
      if (entry?.overrides) overrides.list();
      if (!person || entry?.person !== person.id || !subscriptions.has(entry.key)) continue;
      const { key, result, tag, context } = entry;
      const wallMs = Date.parse(result.dateCached ?? "");
      const before = all.get(key);
      if (context !== person.context(result) || (before?.entry && before.wallMs >= wallMs))
        continue;
      know(key, result, entry, tag, wallMs);
      news.push(key);
    }
    if (news.length) changed(news);
  }

  return {
    all,
    isStale,
    adopt,

    /** Of one answer, or from the page itself. Returns it as it is now known. */
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
        know(key, result, entry, tag, isAnswer ? nowMs : Date.parse(dateCached));
        shown.set(key, result);
        void store(PLACE + key, entry);
      }
      const [first] = entries;
      if (person && first) {
        void store(SOURCE, { person: person.id, version: first.result.version, tag });
        post(entries);
      }
      changed([...results.keys()]);
      return shown;
    },

    /** There was no answer: that is worth knowing only where nothing else is known. */
    fail(keys: readonly string[], failure: string) {
      const missing = keys.filter((key) => subscriptions.has(key) && !all.has(key));
      for (const key of missing) know(key, unanswered(failure), undefined, "", -Infinity);
      if (missing.length) changed(missing);
    },

    async read(keys: readonly string[]): Promise<void> {
      // Nobody says whether there are any.
      if (!cache?.getAll) overrides.list();
      if (!cache) return;
      const found = await (cache.getAll?.(PLACE) ??
        Promise.all(keys.map(async (key) => cache.get(PLACE + key))));
      adopt(found as readonly (Row | undefined)[]);
    },

    /** What was known of somebody else, or of other values of the attributes. */
    forget(former: Person | undefined): string[] {
      const { person } = active;
      const gone = [...all].filter(
        ([, { entry }]) =>
          !entry || person?.id !== former?.id || entry.context !== person?.context(entry.result),
      );
      for (const [key] of gone) all.delete(key);
      return gone.map(([key]) => key);
    },
  };
}
