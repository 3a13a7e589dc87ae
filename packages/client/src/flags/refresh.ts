import type { Ask } from "./ask";
import { BLOCKING_MS } from "./limits";
import type { Managers } from "./managers";
import type { ActiveUser, Person } from "./person";
import type { Records } from "./records";
import type { Subscriptions } from "./subscriptions";
import type { Upkeep } from "./upkeep";

const BACKGROUND_MS = 10_000;

interface RefreshContext {
  readonly active: ActiveUser;
  readonly managers: Pick<Managers, "after">;
  readonly subscriptions: Pick<Subscriptions, "list">;
  readonly records: Pick<Records, "fail">;
  readonly ask: Ask;
  load(): Promise<Upkeep | undefined>;
}

/** Brings what is subscribed to, in one request at a time for one person. */
export function createRefresh(context: RefreshContext) {
  const { active, records } = context;
  let person: Person | undefined;
  let keys: readonly string[];
  let flight: Promise<void> | undefined;

  /** Without the upkeep the flags come all the same, if not once for all tabs. */
  async function bring(own: Person, wanted: readonly string[]): Promise<void> {
    const fail = (failure: string) => active.person === own && records.fail(wanted, failure);
    const stop = context.managers.after(BLOCKING_MS, () => fail("timeout"));
    try {
      // A microtask later at least, so that all that is subscribed to at once is asked for at once.
      const loaded = await context.load();
      if (loaded) {
        loaded.sync();
        await loaded.run();
      } else {
        const { failure = "network" } = await context.ask(own, wanted, false, BACKGROUND_MS);
        fail(failure);
      }
    } finally {
      stop();
      if (person === own) flight = undefined;
    }
  }

  /** Asks for what is missing or stale, all in one request. */
  function refresh() {
    const own = active.person;
    if (!own || (person === own && flight)) return;
    person = own;
    keys = context.subscriptions.list();
    flight = keys.length ? bring(own, keys) : undefined;
  }

  return {
    refresh,
    /** The request that will bring these, if one is under way; begins the person's first. */
    bringing(missing: readonly string[]): Promise<void> | undefined {
      if (person !== active.person) refresh();
      return missing.every((key) => keys.includes(key)) ? flight : undefined;
    },
  };
}
