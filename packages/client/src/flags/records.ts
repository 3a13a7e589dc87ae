import { within } from "../session/timing";
import type { FlagCache, FlagResult, Peeked } from "./flag-client";
import type { Managers } from "./managers";
import type { Person } from "./person";
import { unanswered } from "./wire";

/** As it lies in the cache: of one person, in one context. */
export interface Entry {
  readonly person: string;
  readonly context: string;
  readonly result: FlagResult;
  /** Of the configuration in which it is known to hold. */
  readonly version: number;
  /** The ETag of the answer that it came in. */
  readonly tag: string | undefined;
}

export interface Known {
  peeked: Peeked;
  /** What is in the cache too; nothing where the rule of storing forbids it. */
  readonly entry: Entry | undefined;
  readonly promise: Promise<FlagResult>;
  readonly tag: string | undefined;
  version: number;
  /** Both clocks at which it was true. The device's own may be set; the other stops in sleep. */
  wallMs: number;
  ticksMs: number;
  /** Its participation is reported, or there is none. */
  reported?: boolean;
}

/** Longer than any healthy storage takes, and short beside the 3 s that a person may wait. */
const CACHE_MS = 1_000;
const CLEAR_MS = 3_000;

interface Setting {
  readonly managers: Managers;
  readonly cache: FlagCache | undefined;
  readonly ttlMs: number;
  person(): Person | undefined;
  isSubscribed(key: string): boolean;
  /** Some of these are not what they were. */
  changed(keys: readonly string[]): void;
}

export interface Origin {
  readonly version: number;
  readonly tag?: string | undefined;
  /** From the service, and not from an earlier visit. */
  readonly confirmed: boolean;
}

export type Records = ReturnType<typeof createRecords>;

/** What is known of the present person, in memory and in the cache. */
export function createRecords({ managers, cache, ttlMs, person, isSubscribed, changed }: Setting) {
  const all = new Map<string, Known>();
  const openedMs = managers.now();
  let writing = Promise.resolve();

  const ageMs = ({ wallMs, ticksMs }: Known) =>
    Math.max(managers.now() - wallMs, managers.ticks() - ticksMs);
  const isStale = (known: Known) => ageMs(known) > ttlMs;

  /** One write after the other, and none that would hold up the next for ever. */
  function write(work: (cache: FlagCache) => unknown) {
    if (!cache) return;
    const safely = async () => void (await work(cache));
    writing = writing.then(() => within(managers, CACHE_MS, safely(), undefined));
  }

  function save(entries: ReadonlyMap<string, Entry | undefined>) {
    const owner = person()?.id;
    write((into) => {
      // The person has changed while this was waiting for its turn.
      if (person()?.id !== owner) return;
      return Promise.all(
        [...entries].map(([key, entry]) =>
          entry ? into.set(`fwf-flags-db:${key}`, entry) : into.delete(`fwf-flags-db:${key}`),
        ),
      );
    });
  }

  function place(key: string, known: Omit<Known, "wallMs" | "ticksMs">, wallMs: number) {
    const age = managers.now() - wallMs;
    // Stored at a time that is yet to come: the clock was set back, so its age is unknown.
    const ticksMs = age < 0 ? -Infinity : managers.ticks() - age;
    all.set(key, { ...known, wallMs, ticksMs });
  }

  /** The rule of storing, whole. */
  const isStorable = (key: string, { variation, explanation: { kind } }: FlagResult) =>
    cache && isSubscribed(key) && variation !== null && kind !== "ERROR" && kind !== "FALLBACK";

  /** From the cache or another tab: only what is this person's, in this context, and news. */
  function adopt(key: string, found: unknown) {
    const who = person();
    const entry = found as Entry | undefined;
    if (!who || !entry?.result || entry.person !== who.id || !isSubscribed(key)) return;
    if (entry.context !== who.context(entry.result.relevantContext)) return;
    const wallMs = Date.parse(entry.result.dateCached ?? "");
    const before = all.get(key);
    if (before?.entry && before.wallMs >= wallMs && before.version >= entry.version) return;
    const { result, tag, version } = entry;
    // A tab that asked while this one was open asked for both.
    const isFresh = wallMs >= openedMs && managers.now() - wallMs <= ttlMs;
    place(
      key,
      {
        peeked: { result, status: isFresh ? "fresh" : "cached" },
        entry,
        promise: Promise.resolve(result),
        tag,
        version,
      },
      wallMs,
    );
    changed([key]);
  }

  return {
    all,
    isStale,
    write,

    /** Results of one answer. Returns those that are to be told to the other tabs. */
    put(results: ReadonlyMap<string, FlagResult>, { version, tag, confirmed }: Origin) {
      const who = person();
      const entries = new Map<string, Entry | undefined>();
      if (!who) return entries;
      const wallMs = managers.now();
      for (const [key, answered] of results) {
        if (!isSubscribed(key)) continue;
        const { dateCached = new Date(wallMs).toISOString(), ...result } = answered;
        const storable = isStorable(key, result);
        const shown = storable ? { ...result, dateCached } : result;
        const entry = storable
          ? {
              person: who.id,
              context: who.context(result.relevantContext),
              result: shown,
              version: result.version ?? version,
              tag,
            }
          : undefined;
        entries.set(key, entry);
        const nothing = shown.variation === null || shown.explanation.kind === "ERROR";
        place(
          key,
          {
            peeked: nothing
              ? { result: { ...shown, variation: null }, status: "fallback" }
              : { result: shown, status: confirmed ? "fresh" : "cached" },
            entry,
            promise: Promise.resolve(shown),
            tag,
            version: result.version ?? version,
          },
          confirmed ? wallMs : Date.parse(dateCached),
        );
      }
      save(entries);
      changed([...entries.keys()]);
      return entries;
    },

    adopt,

    /** There was no answer: that is worth knowing only where nothing else is known. */
    fail(keys: readonly string[], failure: string) {
      const missing = keys.filter((key) => isSubscribed(key) && !all.has(key));
      for (const key of missing) {
        const result = unanswered(`client:${failure}`);
        place(
          key,
          {
            peeked: { result, status: "fallback" },
            entry: undefined,
            promise: Promise.resolve(result),
            tag: undefined,
            version: 0,
          },
          -Infinity,
        );
      }
      if (missing.length > 0) changed(missing);
    },

    /** What came with this ETag holds for longer. */
    renew(tag: string, version: number) {
      const entries = new Map<string, Entry | undefined>();
      const wallMs = managers.now();
      const dateCached = new Date(wallMs).toISOString();
      for (const [key, known] of [...all]) {
        if (known.tag !== tag) continue;
        const result = known.entry ? { ...known.entry.result, dateCached } : known.peeked.result;
        const entry = known.entry && {
          ...known.entry,
          result: result as FlagResult,
          version: Math.max(version, known.version),
        };
        if (entry) entries.set(key, entry);
        place(
          key,
          {
            ...known,
            entry,
            version: Math.max(version, known.version),
            promise: Promise.resolve(result as FlagResult),
            peeked: { result, status: entry ? "fresh" : known.peeked.status },
          },
          wallMs,
        );
      }
      save(entries);
      changed([...entries.keys()]);
      return entries;
    },

    /** Those whose time has come are still shown, and say so. */
    age() {
      const aged: string[] = [];
      for (const [key, known] of all) {
        const { result, status } = known.peeked;
        if (status !== "fresh" || !isStale(known)) continue;
        known.peeked = { result, status: "cached" };
        aged.push(key);
      }
      if (aged.length > 0) changed(aged);
    },

    async read(keys: readonly string[]): Promise<void> {
      if (!cache) return;
      const found = await Promise.all(keys.map(async (key) => cache.get(`fwf-flags-db:${key}`)));
      keys.forEach((key, at) => void adopt(key, found[at]));
    },

    /** As any other write, but whoever asked for it learns whether it was done. */
    clear(): Promise<void> {
      return new Promise((resolve, reject) => {
        const late = managers.after(CLEAR_MS, () =>
          reject(new Error("the storage does not answer")),
        );
        write(async (into) => {
          try {
            await into.clear();
            resolve();
          } catch (error) {
            reject(error);
          } finally {
            late();
          }
        });
      });
    },

    /** What was known of somebody else, or of other values of these attributes. */
    forget(former: Person | undefined) {
      const who = person();
      const gone: string[] = [];
      for (const [key, { entry }] of [...all]) {
        const stays =
          entry &&
          who &&
          former?.id === who.id &&
          entry.context === who.context(entry.result.relevantContext);
        if (stays) continue;
        all.delete(key);
        gone.push(key);
      }
      if (former && who && former.id !== who.id) write((into) => into.clear());
      return gone;
    },
  };
}
