import { within } from "../session/timing";
import { createAsk } from "./ask";
import { BLOCKING_MS, CACHE_MS, type Core } from "./core";
import type { FlagClientOptions, FlagSnapshot } from "./flag-client";
import { digest } from "./hash";
import { createKeep } from "./keep";
import type { Managers } from "./managers";
import { UNSUPPORTED } from "./messages";
import { createOverrides } from "./overrides";
import type { Person } from "./person";
import { createRecords } from "./records";
import { createSubscriptions } from "./subscriptions";
import { createRequest } from "./transport";
import type { Upkeep } from "./upkeep";

const TTL_MS = 900_000;
const BACKGROUND_MS = 10_000;
const NOTHING = { flags: [], experiments: [], holdouts: [] };

function baseAddress({ baseUrl, region, regions }: FlagClientOptions): string {
  const base = baseUrl ?? (region ? regions?.[region] : "/api/flags");
  if (base === undefined) throw new Error(`No address for ${region}`);
  return base.replace(/\/+$/, "");
}

/** Puts the parts together, and loads the upkeep once something is to be asked or told. */
export function createCore(options: FlagClientOptions, managers: Managers) {
  const { bootstrap, token, cache = "indexeddb", apiVersion: asked = "v3" } = options;
  const base = baseAddress(options);
  const apiVersion = /^v[123]$/.test(asked) ? asked : "v2";
  const name = `musette.flags.${digest([base, apiVersion, token])}`;
  const subscriptions = createSubscriptions([
    ...(options.subscribe ?? []),
    ...Object.keys(bootstrap?.flags ?? {}),
  ]);
  let warned = false;
  let upkeep: Upkeep | undefined;
  let loading: Promise<Upkeep | undefined> | undefined;
  let closed = false;

  function load(): Promise<Upkeep | undefined> {
    loading ??= import("./upkeep").then(
      (it) => {
        if (!closed) upkeep = it.createUpkeep(core);
        return upkeep;
      },
      () => {
        // Offline, or replaced by a newer release: the next one may have it.
        loading = undefined;
        return undefined;
      },
    );
    return loading;
  }

  /** Without the upkeep the flags come all the same, if not once for all tabs. */
  async function bring(own: Person, underWay: readonly string[]): Promise<void> {
    const fail = (failure: string) => core.person === own && core.records.fail(underWay, failure);
    const stop = managers.after(BLOCKING_MS, () => fail("timeout"));
    try {
      // A microtask later at least, so that all that is subscribed to at once is asked for at once.
      const loaded = await load();
      if (loaded) {
        loaded.sync();
        await loaded.run();
      } else {
        const { failure = "network" } = await core.ask(own, underWay, false, BACKGROUND_MS);
        fail(failure);
      }
    } finally {
      stop();
      own.flight = undefined;
    }
  }

  const core = {
    options,
    managers,
    base,
    apiVersion,
    name,
    request: createRequest(options, base, managers),
    cache: cache === "indexeddb" ? managers.cache(name) : cache === "memory" ? new Map() : cache,
    subscriptions,
    ttlMs: options.ttlMs ?? TTL_MS,
    restoring: Promise.resolve(),
    loading: Promise.resolve(),
    digest,
    notes: [],
    within: (limitMs, work) => within(managers, limitMs, work, undefined),
    changed(keys) {
      upkeep?.forget();
      subscriptions.tell(keys);
    },
    post: (news) => upkeep?.post(news),
    refresh() {
      const own = core.person;
      if (!own || own.flight) return;
      const keys = subscriptions.list();
      own.underWay = keys;
      if (keys.length) own.flight = bring(own, keys);
    },
    bringing: (keys) =>
      keys.every((key) => core.person?.underWay?.includes(key)) ? core.person?.flight : undefined,
    report(key, result) {
      const known = core.records.all.get(key);
      if (known?.peeked.result === result) {
        if (known.reported) return;
        known.reported = true;
      }
      if (result.experiment || result.holdoutsEvaluations.length) core.note(result);
    },
    note(what) {
      if (!core.person) return;
      core.notes.push([core.person, what, managers.now()]);
      if (upkeep) upkeep.count();
      else managers.after(0, load);
    },
    noted: () => core.within(CACHE_MS, load()),
    load,
    unsupported() {
      if (!warned) managers.warn(UNSUPPORTED);
      warned = true;
    },
  } as Partial<Core> as { -readonly [K in keyof Core]: Core[K] };
  core.keep = createKeep(managers, core.unsupported);
  core.overrides = createOverrides(core.keep, core.changed);
  core.records = createRecords(core);
  core.ask = createAsk(core);

  return {
    core,
    /** Empty until there is somebody to put it together. */
    snapshot(): FlagSnapshot {
      void load();
      return upkeep?.snapshot() ?? (NOTHING as unknown as FlagSnapshot);
    },
    close() {
      closed = true;
      upkeep?.close();
    },
  };
}
