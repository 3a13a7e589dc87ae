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
    // Reported when it was read.
  }
}

/**
 * Creates a flag client. A page needs one. It sends no request before `setUser`, unless it has a
 * `bootstrap`.
 *
 * @param managers - Clock, cache and other browser facts, to be replaced in tests.
 * @throws Error when `region` is given and `regions` has no address for it.
 */
export function createFlagClient(
  options: FlagClientOptions,
  managers: Managers = browserManagers(),
): FlagClient {
  const parts = createParts(options, managers);
  const { active, cache, overrides, records, snapshot, subscriptions, within } = parts;

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
      const own = createPerson(user, parts.name);
      switchTo(own);
      active.reading = records.read(subscriptions.list()).catch(parts.warn);
      active.loading = within(CACHE_MS, active.reading);
      // In its own task: whoever waits for the first value gets the stored one first.
      void active.loading.then(() =>
        managers.after(0, () => {
          if (active.person !== own) return;
          void clearOthers(parts, own);
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
      const known = fromMemory(parts, [key], false)?.get(key);
      if (known) {
        parts.report(key, known);
        await parts.saved();
        return known;
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
      const own = required(active);
      return (await parts.load())?.allFlags(own) ?? {};
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
        const look = () => {
          if (!keys.every(client.peek)) return;
          stop();
          late();
          resolve();
        };
        const stop = client.subscribe(keys, look);
        const late = managers.after(BLOCKING_MS, () => records.fail(keys, "timeout"));
        look();
      });
    },
    reportExposure(key: string) {
      const known = client.peek(key);
      if (known) parts.report(key, known.result as FlagResult);
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
  // The host's generated file gives keys and values their types; here they are any.
  return client as unknown as FlagClient;
}
