import { within } from "../session/timing";
import type { FlagCache, FlagResult, FlagValue } from "./flag-client";
import type { Managers } from "./managers";
import { NO_FLAGS, NO_USER, ONLY_V3 } from "./messages";
import type { Person } from "./person";
import type { Records } from "./records";
import type { News, Refetch } from "./refetch";
import { BLOCKING_MS, type Call, type Outcome, type Transport } from "./transport";
import { readKeys, readResult, readResults, unanswered, withFallback } from "./wire";

const KEYS = "fwf-keys-db:keys";
const CACHE_MS = 1_000;

interface KnownKeys {
  readonly keys: readonly string[];
  readonly dateCached: string;
}

interface Setting {
  readonly managers: Managers;
  readonly transport: Transport;
  readonly records: Records;
  readonly refetch: Refetch;
  readonly cache: FlagCache | undefined;
  readonly apiVersion: string;
  readonly ttlMs: number;
  person(): Person | undefined;
  /** Resolves when what is stored of this person is in memory. */
  loaded(): Promise<void>;
  override(key: string): FlagResult | undefined;
  report(person: Person, key: string, result: FlagResult): void;
  post(news: News): void;
}

type Results = ReadonlyMap<string, FlagResult>;

interface Found {
  readonly results: Results;
  readonly failure: string;
}

const NOTHING: Results = new Map();

/** The calls that somebody waits for: 3 s each, and always an answer. */
export function createBlocking(setting: Setting) {
  const { managers, transport, records, refetch, cache, person } = setting;
  const flights = new Map<string, Promise<Found>>();
  let knownKeys: KnownKeys | undefined;

  function required(): Person {
    const own = person();
    if (!own) throw new Error(NO_USER);
    return own;
  }

  /** What need not be asked for. `any`: also what must not be stored, when it has just been asked for. */
  function current(keys: readonly string[], any: boolean): Results | undefined {
    const results = new Map<string, FlagResult>();
    for (const key of keys) {
      const known = records.all.get(key);
      if (!known || !(any || known.entry) || records.isStale(known)) return undefined;
      results.set(key, known.peeked.result);
    }
    return results;
  }

  /** One request for all who ask the same of the same person. */
  function once(
    own: Person,
    call: Omit<Call, "limitMs">,
    limitMs: number,
    read: (outcome: Outcome) => Results | undefined,
  ) {
    const name = JSON.stringify([call.path, call.body]);
    const running = flights.get(name);
    if (running) return running;
    async function fly(): Promise<Found> {
      const outcome = await transport.request({ ...call, limitMs, personal: true });
      if (flights.get(name) === flight) flights.delete(name);
      if (person() !== own) return { results: NOTHING, failure: "aborted" };
      const results = read(outcome);
      if (results) return { results, failure: "" };
      return { results: NOTHING, failure: "failure" in outcome ? outcome.failure : "network" };
    }
    const flight = fly();
    flights.set(name, flight);
    return flight;
  }

  /** Keeps what may be kept, tells the other tabs. */
  function absorb(results: Results, version: number | undefined, tag: string | undefined) {
    const entries = records.put(results, {
      version: version ?? refetch.target(),
      tag,
      confirmed: true,
    });
    setting.post({ entries: [...entries] });
    return new Map([...results].map(([key, result]) => [key, entries.get(key)?.result ?? result]));
  }

  function askOne(own: Person, key: string, limitMs: number) {
    const tag = records.all.get(key)?.entry?.tag;
    const path = `${setting.apiVersion}/features/${encodeURIComponent(key)}`;
    return once(own, { method: "PUT", path, body: own.user, tag }, limitMs, (outcome) => {
      if ("unmodified" in outcome && tag) {
        setting.post({ entries: [...records.renew(tag, refetch.target())] });
        return current([key], false);
      }
      const result = "body" in outcome ? readResult(outcome.body) : undefined;
      return (
        result &&
        absorb(new Map([[key, result]]), result.version, (outcome as { tag?: string }).tag)
      );
    });
  }

  function askMany(own: Person, keys: readonly string[] | undefined, limitMs: number) {
    const path = `${setting.apiVersion}/features`;
    const body = keys ? { ...own.user, featureList: keys } : own.user;
    return once(own, { method: "PUT", path, body }, limitMs, (outcome) => {
      const answer = "body" in outcome ? readResults(outcome.body) : undefined;
      return answer && absorb(answer.results, answer.version, undefined);
    });
  }

  /** From memory, from a request that is under way, or by asking. */
  async function find(
    own: Person,
    keys: readonly string[],
    isOne: boolean,
    left: () => number,
  ): Promise<Found> {
    await within(managers, left(), setting.loaded(), undefined);
    let hit = person() === own ? current(keys, false) : undefined;
    const bringing = !hit && person() === own && refetch.bringing(keys);
    if (bringing) {
      await within(managers, left(), bringing, undefined);
      hit = person() === own ? current(keys, true) : undefined;
    }
    if (hit) return { results: hit, failure: "" };
    if (person() !== own) return { results: NOTHING, failure: "aborted" };
    if (left() <= 0) return { results: NOTHING, failure: "timeout" };
    const flight =
      isOne && keys[0] !== undefined ? askOne(own, keys[0], left()) : askMany(own, keys, left());
    return within(managers, left(), flight, { results: NOTHING, failure: "timeout" });
  }

  async function settle(keys: readonly string[], isOne: boolean): Promise<Results> {
    const first = required();
    const untilMs = managers.ticks() + BLOCKING_MS;
    const left = () => untilMs - managers.ticks();
    let own = first;
    let found = await find(own, keys, isOne, left);
    // The same person, of whom something else is known meanwhile: then that answer counts.
    while (person() !== own && person()?.id === first.id) {
      own = person() ?? own;
      found = await find(own, keys, isOne, left);
    }
    const same = person() === own;
    return new Map(
      keys.map((key) => {
        const stored = same ? records.all.get(key)?.entry?.result : undefined;
        const result = (same && found.results.get(key)) || stored;
        if (result) setting.report(own, key, result);
        return [
          key,
          result ?? unanswered(`client:${same ? found.failure || "network" : "aborted"}`),
        ];
      }),
    );
  }

  return {
    drop: () => flights.clear(),

    async one(key: string, fallback: FlagValue): Promise<FlagResult> {
      required();
      const override = setting.override(key);
      if (override) return override;
      const result = (await settle([key], true)).get(key) ?? unanswered("client:network");
      return withFallback(result, fallback);
    },

    async many(
      keys: readonly string[] | undefined,
      fallbacks: Readonly<Record<string, FlagValue>>,
    ) {
      required();
      if (!keys?.length) throw new Error(NO_FLAGS);
      const results = await settle([...new Set(keys)], false);
      const given = keys.map((key) => {
        const result = results.get(key) ?? unanswered("client:network");
        return [key, setting.override(key) ?? withFallback(result, fallbacks[key] ?? null)];
      });
      return Object.fromEntries(given) as Record<string, FlagResult>;
    },

    async all(): Promise<Record<string, FlagResult>> {
      const own = required();
      if (setting.apiVersion !== "v3") throw new Error(ONLY_V3);
      await within(managers, BLOCKING_MS, setting.loaded(), undefined);
      const { results, failure } = await askMany(own, undefined, BLOCKING_MS);
      const found: Record<string, FlagResult> = Object.fromEntries(results);
      if (failure && person() === own) {
        for (const [key, { entry }] of records.all) if (entry) found[key] = entry.result;
      }
      for (const key of Object.keys(found))
        found[key] = setting.override(key) ?? (found[key] as FlagResult);
      return found;
    },

    async keys(): Promise<readonly string[]> {
      required();
      if (cache && !knownKeys) {
        const stored = Promise.resolve().then(() => cache.get(KEYS));
        knownKeys = (await within(managers, CACHE_MS, stored, undefined)) as KnownKeys | undefined;
      }
      const ageMs = managers.now() - Date.parse(knownKeys?.dateCached ?? "");
      if (knownKeys && ageMs >= 0 && ageMs <= setting.ttlMs) return knownKeys.keys;
      const path = `${setting.apiVersion}/features-list/keys`;
      const outcome = await transport.request({ method: "GET", path, limitMs: BLOCKING_MS });
      const keys = "body" in outcome ? readKeys(outcome.body) : undefined;
      if (!keys) return knownKeys?.keys ?? [];
      const fresh = { keys, dateCached: new Date(managers.now()).toISOString() };
      if (cache) knownKeys = fresh;
      records.write((into) => into.set(KEYS, fresh));
      return keys;
    },
  };
}
