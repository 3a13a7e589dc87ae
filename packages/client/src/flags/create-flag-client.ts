import { within } from "../session/timing";
import { createBlocking } from "./blocking";
import type {
  FlagClient,
  FlagClientOptions,
  FlagResult,
  FlagUser,
  FlagValue,
  Peeked,
} from "./flag-client";
import { digest } from "./hash";
import { browserManagers, type Managers } from "./managers";
import { memoryCache } from "./memory-cache";
import { notCleared, UNSUPPORTED } from "./messages";
import { createOutbox } from "./outbox";
import { createOverrides } from "./overrides";
import { createParticipation } from "./participation";
import { createPerson, type Person } from "./person";
import { createRecords } from "./records";
import { createRefetch, type News } from "./refetch";
import { createSnapshot } from "./snapshot";
import { createStream } from "./stream";
import { createSubscriptions } from "./subscriptions";
import { apiVersion, BLOCKING_MS, createTransport } from "./transport";

const TTL_MS = 900_000;
const CHECK_MS = 60_000;
const CACHE_MS = 1_000;

type Heard = News | { readonly changed: number | undefined };

/** One a page. Asks nothing of the network before it has a user. */
export function createFlagClient(
  options: FlagClientOptions,
  managers: Managers = browserManagers(),
): FlagClient {
  const { bootstrap, onEvent, ttlMs = TTL_MS } = options;
  const version = apiVersion(options.apiVersion);
  const transport = createTransport(options, managers);
  const scope = digest(JSON.stringify([transport.base, version, options.token]));
  const name = `musette.flags.${scope}`;
  let warned = false;
  function unsupported() {
    if (!warned) managers.warn(UNSUPPORTED);
    warned = true;
  }

  /** What the host has got wrong shows in its console, and costs nobody their flags. */
  function safely(run: () => void) {
    try {
      run();
    } catch (error) {
      managers.after(0, () => {
        throw error;
      });
    }
  }

  const cached = options.cache === undefined ? "indexeddb" : options.cache;
  const cache =
    cached === "indexeddb"
      ? managers.cache(scope)
      : cached === "memory"
        ? memoryCache()
        : (cached ?? undefined);
  const subscriptions = createSubscriptions(
    [...(options.subscribe ?? []), ...Object.keys(bootstrap?.flags ?? {})],
    safely,
  );
  let person: Person | undefined;
  let loading = Promise.resolve();
  let closed = false;

  function changed(keys: readonly string[]) {
    snapshot.forget();
    subscriptions.tell(keys);
  }
  const overrides = createOverrides(managers.marks, unsupported, changed);
  const records = createRecords({
    managers,
    cache,
    ttlMs,
    person: () => person,
    isSubscribed: subscriptions.has,
    changed,
  });
  const snapshot = createSnapshot(records, overrides.peeked, () => person?.user);

  const channel = managers.channel(name);
  if (!channel) unsupported();
  const post = (heard: Heard) => {
    if (closed || ("entries" in heard && !heard.entries.length)) return;
    channel?.post(heard);
  };
  const refetch = createRefetch({
    managers,
    transport,
    records,
    subscriptions,
    cache,
    path: `${version}/features`,
    lockName: name,
    person: () => person,
    post,
  });

  const outbox = createOutbox(transport, managers);
  const participate = createParticipation(
    managers,
    (event, isNews, delivered) => {
      if (isNews) safely(() => onEvent?.(event));
      outbox.add({ event, delivered });
    },
    unsupported,
  );
  function report(who: Person, key: string, result: FlagResult) {
    const known = records.all.get(key);
    if (known?.peeked.result === result) {
      if (known.reported) return;
      known.reported = true;
    }
    participate(who.user, result);
  }

  const blocking = createBlocking({
    managers,
    transport,
    records,
    refetch,
    cache,
    apiVersion: version,
    ttlMs,
    person: () => person,
    loaded: () => loading,
    override: (key) => overrides.peeked.get(key)?.result,
    report,
    post,
  });

  const stream = createStream({
    managers,
    transport,
    lockName: `${name}.stream`,
    wanted: () =>
      !closed && options.stream !== false && !!person && managers.visible() && subscriptions.any(),
    changed(to) {
      post({ changed: to });
      require(to);
    },
    connected(again) {
      if (again) require(undefined);
      // What changed between the first answer and the stream: asked for with the next check, since
      // at the start of a page every request is one too many.
      else unsure = true;
    },
  });
  let unsure = false;
  let stopCheck: (() => void) | undefined;

  function require(to: number | undefined) {
    refetch.require(to);
    if (managers.visible()) void refetch.now();
  }

  function check() {
    stopCheck?.();
    stopCheck = undefined;
    if (closed || !managers.visible()) return;
    stopCheck = managers.after(CHECK_MS, () => {
      if (unsure) refetch.require(undefined);
      unsure = false;
      check();
    });
    records.age();
    void refetch.now();
  }

  function become(next: Person | undefined): Person | undefined {
    const former = person;
    transport.dropPersonal();
    blocking.drop();
    refetch.drop();
    person = next;
    changed(records.forget(former));
    stream.sync();
    return former;
  }

  async function load(own: Person): Promise<void> {
    try {
      await refetch.read(subscriptions.list());
    } catch {
      if (cached === "indexeddb") unsupported();
    }
    if (person === own && refetch.isForeign()) records.write((all) => all.clear());
  }

  function setUser(user: FlagUser): Promise<void> {
    if (person && JSON.stringify(person.user) === JSON.stringify(user)) return loading;
    const own = createPerson(user);
    become(own);
    loading = within(managers, CACHE_MS, load(own), undefined).then(() => {
      if (person === own && !closed) void refetch.now();
    });
    return loading;
  }

  function peek(key: string): Peeked | undefined {
    return overrides.peeked.get(key) ?? records.all.get(key)?.peeked;
  }

  function subscribe(keys: readonly string[], listener: () => void): () => void {
    const stop = subscriptions.add(keys, listener);
    const unknown = keys.filter((key) => !records.all.has(key));
    if (unknown.length && person && !closed) {
      const read = refetch.read(unknown).catch(() => {});
      void within(managers, CACHE_MS, read, undefined).then(() => {
        if (!closed) void refetch.now();
      });
    }
    stream.sync();
    return () => {
      stop();
      stream.sync();
    };
  }

  channel?.listen((heard) => {
    const news = heard as Heard;
    if ("entries" in news) refetch.hear(news);
    else require(news.changed);
  });
  const stopPage = managers.onPage((event) => {
    stream.sync();
    if (event === "hide") return void outbox.flush(true);
    stream.wake();
    check();
  });

  if (bootstrap) {
    person = createPerson(bootstrap.user);
    const flags = new Map(Object.entries(bootstrap.flags));
    records.put(flags, { version: 0, confirmed: false });
    stream.sync();
  }
  check();

  const client = {
    setUser,
    async clearUser() {
      const former = become(undefined);
      loading = Promise.resolve();
      if (!former || !cache) return;
      try {
        await records.clear();
      } catch (error) {
        throw new Error(notCleared(error));
      }
    },
    getFlag(key: string, fallback: FlagValue): Promise<FlagResult> {
      const known = records.all.get(key);
      const isHit = person && known?.entry && !overrides.peeked.has(key) && !records.isStale(known);
      if (!isHit) return blocking.one(key, fallback);
      if (!known.reported) report(person as Person, key, known.peeked.result as FlagResult);
      return known.promise;
    },
    getFlags: (keys: readonly string[], fallbacks: Readonly<Record<string, FlagValue>> = {}) =>
      blocking.many(keys, fallbacks),
    getAllFlags: blocking.all,
    getFlagKeys: blocking.keys,
    peek,
    subscribe,
    ready(keys: readonly string[]): Promise<void> {
      return new Promise((resolve) => {
        const look = () => {
          if (keys.every((key) => peek(key))) done();
        };
        const stop = subscribe(keys, look);
        const late = managers.after(BLOCKING_MS, () => records.fail(keys, "timeout"));
        const done = () => {
          stop();
          late();
          resolve();
        };
        look();
      });
    },
    reportExposure(key: string) {
      const known = records.all.get(key);
      if (!person || !known || overrides.peeked.has(key)) return;
      report(person, key, known.peeked.result as FlagResult);
    },
    overrides: overrides.api,
    snapshot: snapshot.current,
    close() {
      outbox.close();
      closed = true;
      stopCheck?.();
      stopPage();
      stream.sync();
      transport.dropPersonal();
      channel?.close();
    },
  };
  // The types of keys and values are made by the host's generated file; here they are any.
  return client as unknown as FlagClient;
}
