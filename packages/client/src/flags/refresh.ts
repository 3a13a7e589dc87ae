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
  let flightPerson: Person | undefined;
  let keys: readonly string[];
  let flight: Promise<void> | undefined;

  /** Fetches through the background work, which fetches once for all tabs, or directly if it cannot be loaded. */
  async function fetchSubscribed(person: Person, subscribed: readonly string[]): Promise<void> {
    const fail = (failure: string) => active.person === person && records.fail(subscribed, failure);
    const stop = context.managers.after(BLOCKING_MS, () => fail("timeout"));
    try {
      // Waits at least one microtask, so that flags subscribed in one task share one request.
      const background = await context.load();
      if (background) {
        background.sync();
        await background.run();
      } else {
        const { failure = "network" } = await context.fetch(
          person,
          subscribed,
          false,
          BACKGROUND_MS,
        );
        fail(failure);
      }
    } finally {
      stop();
      if (flightPerson === person) flight = undefined;
    }
  }

  /** Fetches missing and stale flags in one request. */
  function refresh() {
    const person = active.person;
    if (!person || (flightPerson === person && flight)) return;
    flightPerson = person;
    keys = context.subscriptions.list();
    flight = keys.length ? fetchSubscribed(person, keys) : undefined;
  }

  return {
    refresh,
    /** Returns the request in flight that fetches these flags, if any. Starts the first request of a person. */
    refreshing(missing: readonly string[]): Promise<void> | undefined {
      if (flightPerson !== active.person) refresh();
      return missing.every((key) => keys.includes(key)) ? flight : undefined;
    },
  };
}
