import { within as withinOrElse } from "../session/timing";
import { createAsk } from "./ask";
import type { FlagClientOptions, FlagSnapshot } from "./flag-client";
import { digest } from "./hash";
import { createKeep } from "./keep";
import type { Within } from "./limits";
import type { Managers } from "./managers";
import { UNSUPPORTED } from "./messages";
import { createOverrides } from "./overrides";
import type { ActiveUser } from "./person";
import { createRecords, type News } from "./records";
import { createRefresh } from "./refresh";
import { createReports } from "./reports";
import { baseAddress } from "./base-address";
import { createSubscriptions } from "./subscriptions";
import { createRequest } from "./transport";
import type { Upkeep } from "./upkeep";

const TTL_MS = 900_000;
const NOTHING: FlagSnapshot = { flags: [], experiments: [], holdouts: [] };

export type Core = ReturnType<typeof createCore>;

/** Puts the parts together, and loads the upkeep once something is to be asked or told. */
export function createCore(options: FlagClientOptions, managers: Managers) {
  const { bootstrap, cache: kind = "indexeddb", apiVersion: asked = "v3", ttlMs = TTL_MS } = options;
  const base = baseAddress(options);
  const apiVersion = /^v[123]$/.test(asked) ? asked : "v2";
  /** Of this client alone among those of the browser, and the same in every tab. */
  const name = `musette.flags.${digest([base, apiVersion, options.token])}`;
  const subscriptions = createSubscriptions([
    ...(options.subscribe ?? []),
    ...Object.keys(bootstrap?.flags ?? {}),
  ]);
  let warned = false;
  let upkeep: Upkeep | undefined;
  let loading: Promise<Upkeep | undefined> | undefined;
  let closed = false;

  /** What is not supported is said once. */
  function unsupported() {
    if (!warned) managers.warn(UNSUPPORTED);
    warned = true;
  }
  /** Some of these flags are not what they were. */
  function changed(keys: readonly string[]) {
    upkeep?.forget();
    subscriptions.tell(keys);
  }
  const within: Within = (limitMs, work) => withinOrElse(managers, limitMs, work, undefined);

  /** The upkeep, or nothing where it cannot be had. */
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

  const keep = createKeep(managers, unsupported);
  const active: ActiveUser = {
    person: undefined,
    restoring: Promise.resolve(),
    loading: Promise.resolve(),
  };
  const shared = {
    base,
    apiVersion,
    ttlMs,
    name,
    options,
    managers,
    active,
    subscriptions,
    keep,
    overrides: createOverrides(keep, changed),
    cache: kind === "indexeddb" ? managers.cache(name) : kind === "memory" ? new Map() : kind,
    request: createRequest(options, base, managers),
    load,
    within,
    changed,
    unsupported,
    post: (news: News) => upkeep?.post(news),
    count: () => (upkeep ? upkeep.count() : managers.after(0, load)),
    /** Here and not imported, so that the upkeep shares no chunk with the core. */
    digest,
    /** Empty until there is somebody to put it together. */
    snapshot(): FlagSnapshot {
      void load();
      return upkeep?.snapshot() ?? NOTHING;
    },
    close() {
      closed = true;
      upkeep?.close();
    },
  };
  const recording = { ...shared, records: createRecords(shared) };
  const asking = { ...recording, ask: createAsk(recording) };
  const core = { ...asking, ...createRefresh(asking), ...createReports(asking) };
  return core;
}
