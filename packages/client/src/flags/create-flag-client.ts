import { required, settle } from "./blocking";
import { type Core, createCore } from "./create-core";
import type { FlagClient, FlagClientOptions, FlagResult, FlagUser, FlagValue } from "./flag-client";
import { BLOCKING_MS, CACHE_MS } from "./limits";
import { browserManagers, type Managers } from "./managers";
import { NO_FLAGS, notCleared } from "./messages";
import { createPerson, type Person } from "./person";
import { SOURCE, type Source } from "./records";

/** Removes what is somebody else's. */
async function tidy({ cache }: Pick<Core, "cache">, { id }: Person): Promise<void> {
  try {
    const source = (await cache?.get(SOURCE)) as Source | undefined;
    if (source && source.person !== id) await cache?.clear();
  } catch {
    // Said when it was read.
  }
}

const listing = () => import("./listing");

/** One a page. Asks nothing of the network before it has a user. */
export function createFlagClient(
  options: FlagClientOptions,
  managers: Managers = browserManagers(),
): FlagClient {
  const core = createCore(options, managers);
  const { active, cache, overrides, records, snapshot, subscriptions, within } = core;

  function become(next: Person | undefined): Person | undefined {
    const former = active.person;
    active.person = next;
    former?.gone.abort();
    core.changed(records.forget(former));
    return former;
  }

  const { bootstrap } = options;
  if (bootstrap) {
    overrides.list();
    active.person = createPerson(bootstrap.user, core.name);
    records.put(new Map(Object.entries(bootstrap.flags)), "", false);
    core.refresh();
  }

  const client = {
    setUser(user: FlagUser): Promise<unknown> {
      if (JSON.stringify(active.person?.user) === JSON.stringify(user)) return active.loading;
      const own = createPerson(user, core.name);
      become(own);
      active.restoring = records.read(subscriptions.list()).catch(core.unsupported);
      active.loading = within(CACHE_MS, active.restoring);
      // In a task of its own: whoever waits for the first value has what is stored by then.
      void active.loading.then(() =>
        managers.after(0, () => {
          if (active.person !== own) return;
          void tidy(core, own);
          core.refresh();
        }),
      );
      return active.loading;
    },
    async clearUser() {
      if (!become(undefined) || !cache) return;
      const clearing = (async () => cache.clear())().then(() => "", notCleared);
      const message = (await within(BLOCKING_MS, clearing)) ?? notCleared("no answer");
      if (message) throw new Error(message);
    },
    async getFlag(key: string, fallback: FlagValue): Promise<FlagResult> {
      const known = records.all.get(key);
      if (known?.entry && !records.isStale(known) && !overrides.all.has(key)) {
        core.report(key, known.entry.result);
        await core.noted();
        return known.entry.result;
      }
      return (await settle(core, [key], true, () => fallback))[key] as FlagResult;
    },
    async getFlags(
      keys: readonly string[] | undefined,
      fallbacks: Readonly<Record<string, FlagValue>> = {},
    ) {
      required(active);
      if (!keys?.length) throw new Error(NO_FLAGS);
      return settle(core, keys, false, (key) => fallbacks[key] ?? null);
    },
    async getAllFlags() {
      const own = required(active);
      return (await listing()).allFlags(core, own);
    },
    async getFlagKeys() {
      required(active);
      return (await listing()).flagKeys(core);
    },
    peek: (key: string) => overrides.all.get(key) ?? records.all.get(key)?.peeked,
    subscribe(keys: readonly string[], listener: () => void): () => void {
      const stop = subscriptions.add(keys, listener);
      const unknown = keys.filter((key) => !records.all.has(key));
      if (unknown.length && active.person) {
        void within(CACHE_MS, records.read(unknown)).then(core.refresh);
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
      if (known) core.report(key, known.result as FlagResult);
    },
    reportMetric: (metric: string, value = 1) => core.note({ metric, value }),
    overrides,
    snapshot,
    close() {
      active.person?.gone.abort();
      active.person = undefined;
      core.close();
    },
  };
  // The types of keys and values are made by the host's generated file; here they are any.
  return client as unknown as FlagClient;
}
