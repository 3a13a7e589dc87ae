import { within as withinOrElse } from "../session/timing";
import type { Background } from "./background";
import { baseAddress } from "./base-address";
import { createFetchResults } from "./fetch-results";
import type { FlagClientOptions, FlagSnapshot } from "./flag-client";
import { hash } from "./hash";
import type { Within } from "./limits";
import type { Managers } from "./managers";
import { UNSUPPORTED } from "./messages";
import { createOverrides } from "./overrides";
import type { ActiveUser } from "./person";
import { createRecords, type EntryBroadcast } from "./records";
import { createRefresh } from "./refresh";
import { createReports } from "./reports";
import { createJsonStorage } from "./storage";
import { createSubscriptions } from "./subscriptions";
import { createRequest } from "./transport";

const TTL_MS = 900_000;
const NOTHING: FlagSnapshot = { flags: [], experiments: [], holdouts: [] };

export type Parts = ReturnType<typeof createParts>;

/** Assembles the parts of a client. Loads the background work on the first fetch or report. */
export function createParts(options: FlagClientOptions, managers: Managers) {
  const {
    bootstrap,
    cache: kind = "indexeddb",
    apiVersion: requestedVersion = "v3",
    ttlMs = TTL_MS,
  } = options;
  const base = baseAddress(options);
  const apiVersion = /^v[123]$/.test(requestedVersion) ? requestedVersion : "v2";
  /** Unique among the clients in the browser, and the same in every tab. */
  const name = `musette.flags.${hash([base, apiVersion, options.token])}`;
  const subscriptions = createSubscriptions([
    ...(options.subscribe ?? []),
    ...Object.keys(bootstrap?.flags ?? {}),
  ]);
  let warned = false;
  let background: Background | undefined;
  let loading: Promise<Background | undefined> | undefined;
  let closed = false;

  /** Logs once that local storage, the cache or the broadcast channel does not work. */
  function warn() {
    if (!warned) managers.warn(UNSUPPORTED);
    warned = true;
  }
  /** Notifies subscribers that these flags may have changed. */
  function notify(keys: readonly string[]) {
    background?.forget();
    subscriptions.notify(keys);
  }
  const within: Within = (limitMs, work) => withinOrElse(managers, limitMs, work);

  /** Loads the background work. Resolves to undefined if it cannot be loaded. */
  function load(): Promise<Background | undefined> {
    loading ??= import("./background").then(
      (module) => {
        if (!closed) background = module.createBackground(parts);
        return background;
      },
      () => {
        // The device is offline, or a newer release replaced the file. A later attempt may succeed.
        loading = undefined;
        return undefined;
      },
    );
    return loading;
  }

  const storage = createJsonStorage(managers, warn);
  const active: ActiveUser = {
    person: undefined,
    reading: Promise.resolve(),
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
    storage,
    overrides: createOverrides(storage, notify),
    cache: kind === "indexeddb" ? managers.cache(name) : kind === "memory" ? new Map() : kind,
    request: createRequest(options, base, managers),
    load,
    within,
    notify,
    warn,
    post: (entries: EntryBroadcast) => background?.post(entries),
    count: () => (background ? background.count() : managers.after(0, load)),
    /** Passed to the background work, because a chunk imported by both would cost one more request. */
    hash,
    /** Returns an empty snapshot until the background work is loaded. */
    snapshot(): FlagSnapshot {
      void load();
      return background?.snapshot() ?? NOTHING;
    },
    close() {
      closed = true;
      background?.close();
    },
  };
  const withRecords = { ...shared, records: createRecords(shared) };
  const withFetch = { ...withRecords, fetch: createFetchResults(withRecords) };
  const parts = { ...withFetch, ...createRefresh(withFetch), ...createReports(withFetch) };
  return parts;
}
