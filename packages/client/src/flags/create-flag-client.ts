import { createParts, type Parts } from "./create-parts";
import type { FlagClient, FlagClientOptions, FlagResult, FlagUser, FlagValue } from "./flag-client";
import { BLOCKING_MS, CACHE_MS } from "./limits";
import { browserManagers, type Managers } from "./managers";
import { NO_FLAGS, notCleared } from "./messages";
import { createPerson, type Person } from "./person";
import { SOURCE, type Source } from "./records";
import { fromMemory, required, resolveFlags } from "./resolve-flags";

/** Empties the cache if it holds the results of another user. */
async function clearOthers({ cache }: Pick<Parts, "cache">, { id }: Person): Promise<void> {
  try {
    const source = (await cache?.get(SOURCE)) as Source | undefined;
    if (source && source.person !== id) await cache?.clear();
  } catch {
    // The first read has already logged a warning.
  }
}

/**
 * Creates a flag client. A page needs only one. It sends no request before `setUser`, unless the
 * options have a `bootstrap`.
 *
 * @param managers - Clock, cache and other features of the browser. Tests can replace them.
 * @throws Error if `region` is set and `regions` has no address for it.
 *
 * @example
 * const flags = createFlagClient({ token: "YOUR_CLIENT_KEY" });
 * await flags.setUser({ key: "device-1", userId: "rider-1" });
 * const { variation } = await flags.getFlag("new-map", false);
 */
export function createFlagClient(
  options: FlagClientOptions,
  managers: Managers = browserManagers(),
): FlagClient {
  const parts = createParts(options, managers);
  const { active, cache, overrides, records, snapshot, subscriptions, within } = parts;

  /** Replaces the current person and drops the results of the former one. Returns the former person. */
  function switchTo(next: Person | undefined): Person | undefined {
    const former = active.person;
    active.person = next;
    former?.abort.abort();
    parts.notify(records.forget());
    return former;
  }

  const { bootstrap } = options;
  if (bootstrap) {
    overrides.list();
    active.person = createPerson(bootstrap.user, parts.name);
    records.put(new Map(Object.entries(bootstrap.flags)), "", false);
    parts.refresh();
  }

  const client = {
    setUser(user: FlagUser): Promise<unknown> {
      if (JSON.stringify(active.person?.user) === JSON.stringify(user)) return active.loading;
      const person = createPerson(user, parts.name);
      switchTo(person);
      active.reading = records.read(subscriptions.list()).catch(parts.warn);
      active.loading = within(CACHE_MS, active.reading);
      // In a separate task, so that callers waiting for the first value get the stored value first.
      void active.loading.then(() =>
        managers.after(0, () => {
          if (active.person !== person) return;
          void clearOthers(parts, person);
          parts.refresh();
        }),
      );
      return active.loading;
    },
    async clearUser() {
      if (!switchTo(undefined) || !cache) return;
      const clearing = (async () => cache.clear())().then(() => "", notCleared);
      const message = (await within(BLOCKING_MS, clearing)) ?? notCleared("no answer");
      if (message) throw new Error(message);
    },
    async getFlag(key: string, fallback: FlagValue): Promise<FlagResult> {
      const memoryResult = fromMemory(parts, [key], false)?.get(key);
      if (memoryResult) {
        parts.report(key, memoryResult);
        await parts.saved();
        return memoryResult;
      }
      return (await resolveFlags(parts, [key], true, () => fallback))[key] as FlagResult;
    },
    async getFlags(
      keys: readonly string[] | undefined,
      fallbacks: Readonly<Record<string, FlagValue>> = {},
    ) {
      required(active);
      if (!keys?.length) throw new Error(NO_FLAGS);
      return resolveFlags(parts, keys, false, (key) => fallbacks[key] ?? null);
    },
    async getAllFlags() {
      const person = required(active);
      return (await parts.load())?.allFlags(person) ?? {};
    },
    async getFlagKeys() {
      required(active);
      return (await parts.load())?.flagKeys() ?? [];
    },
    peek: (key: string) => overrides.all.get(key) ?? records.all.get(key)?.peeked,
    subscribe(keys: readonly string[], listener: () => void): () => void {
      const stop = subscriptions.add(keys, listener);
      const unknown = keys.filter((key) => !records.all.has(key));
      if (unknown.length && active.person) {
        void within(CACHE_MS, records.read(unknown)).then(parts.refresh);
      }
      return stop;
    },
    ready(keys: readonly string[]): Promise<void> {
      return new Promise((resolve) => {
        const check = () => {
          if (!keys.every(client.peek)) return;
          stop();
          stopTimeout();
          resolve();
        };
        const stop = client.subscribe(keys, check);
        const stopTimeout = managers.after(BLOCKING_MS, () => records.fail(keys, "timeout"));
        check();
      });
    },
    reportExposure(key: string) {
      const peeked = client.peek(key);
      if (peeked) parts.report(key, peeked.result as FlagResult);
    },
    reportMetric: (metric: string, value = 1) => parts.enqueue({ metric, value }),
    overrides,
    snapshot,
    close() {
      active.person?.abort.abort();
      active.person = undefined;
      parts.close();
    },
  };
  // Keys and values are untyped here. The host's generated file gives them their types.
  return client as unknown as FlagClient;
}
