import type { Background } from "./background";
import type { FetchResults } from "./fetch-results";
import { BLOCKING_MS } from "./limits";
import type { Managers } from "./managers";
import type { ActiveUser, Person } from "./person";
import type { Records } from "./records";
import type { Subscriptions } from "./subscriptions";

const BACKGROUND_MS = 10_000;

interface RefreshContext {
  readonly active: ActiveUser;
  readonly managers: Pick<Managers, "after">;
  readonly subscriptions: Pick<Subscriptions, "list">;
  readonly records: Pick<Records, "fail">;
  readonly fetch: FetchResults;
  load(): Promise<Background | undefined>;
}

/** Fetches the subscribed flags: one request at a time for each person (single-flight). */
export function createRefresh(context: RefreshContext) {
  const { active, records } = context;
  let person: Person | undefined;
  let keys: readonly string[];
  let flight: Promise<void> | undefined;

  /** Through the background work where it can be loaded: it fetches once for all tabs. */
  async function fetchSubscribed(own: Person, wanted: readonly string[]): Promise<void> {
    const fail = (failure: string) => active.person === own && records.fail(wanted, failure);
    const stop = context.managers.after(BLOCKING_MS, () => fail("timeout"));
    try {
      // At least a microtask later, so that flags that are subscribed to together go in one request.
      const loaded = await context.load();
      if (loaded) {
        loaded.sync();
        await loaded.run();
      } else {
        const { failure = "network" } = await context.fetch(own, wanted, false, BACKGROUND_MS);
        fail(failure);
      }
    } finally {
      stop();
      if (person === own) flight = undefined;
    }
  }

  /** Fetches what is missing or stale, in one request. */
  function refresh() {
    const own = active.person;
    if (!own || (person === own && flight)) return;
    person = own;
    keys = context.subscriptions.list();
    flight = keys.length ? fetchSubscribed(own, keys) : undefined;
  }

  return {
    refresh,
    /** The request in flight that fetches these, if any. Starts the first one of a person. */
    refreshing(missing: readonly string[]): Promise<void> | undefined {
      if (person !== active.person) refresh();
      return missing.every((key) => keys.includes(key)) ? flight : undefined;
    },
  };
}
