import type { Managers } from "./managers";
import type { JsonStorage } from "./storage";
import type { Request } from "./transport";

const BATCH = 50;
const WAIT_MS = 5_000;
const WAIT_MAX_MS = 300_000;
const ANSWER_MS = 10_000;
/** A queue of this length means a long outage of the service. Storage on a phone is small. */
const QUEUE_MAX = 500;

/** A queue of values to send to the service. */
export interface Outbox<T> {
  add(one: T): void;
  flush(keepalive?: boolean): void;
}

interface OutboxContext {
  readonly managers: Pick<Managers, "after">;
  readonly request: Request;
  readonly storage: JsonStorage;
}

/**
 * Sends events in batches. Each event stays in local storage until the service has received it, even
 * across a reload. If two tabs send the same event, the service counts it once, because the id is the same.
 */
export function createOutbox<T extends { readonly id: string }>(
  { managers, request, storage }: OutboxContext,
  name: "events" | "metrics",
): Outbox<T> {
  const storageKey = `musette_flag_${name}`;
  /** Events that local storage did not accept. They are lost when the page is closed. */
  let unstored: T[] = [];
  const inFlight = new Set<string>();
  let failures = 0;
  let stop: (() => void) | undefined;

  const stored = () => {
    const value = storage(storageKey);
    return Array.isArray(value) ? (value as T[]) : [];
  };
  const pending = () => [...stored(), ...unstored].filter(({ id }) => !inFlight.has(id));

  function forget(ids: ReadonlySet<string>) {
    const isPending = ({ id }: T) => !ids.has(id);
    unstored = unstored.filter(isPending);
    const before = stored();
    if (before.length) storage(storageKey, before.filter(isPending));
  }

  async function send(batch: T[], keepalive: boolean): Promise<void> {
    const ids = new Set(batch.map(({ id }) => id));
    for (const id of ids) inFlight.add(id);
    const { failure = "" } = await request({
      method: "POST",
      path: `v3/${name}`,
      body: batch,
      limitMs: ANSWER_MS,
      // `sendBeacon` cannot send the key in a header, and servers log a key in the address.
      keepalive,
    });
    for (const id of ids) inFlight.delete(id);
    failures = failure ? failures + 1 : 0;
    // Client errors other than 408 and 429 are permanent. The client retries all other errors.
    if (!failure || /_4(?!08|29)/.test(failure)) forget(ids);
    schedule();
  }

  function flush(keepalive = false) {
    stop?.();
    stop = undefined;
    const all = pending();
    while (all.length) void send(all.splice(0, BATCH), keepalive);
  }

  function schedule() {
    const count = pending().length;
    if (count >= BATCH && !failures) flush();
    else if (count) {
      stop ??= managers.after(Math.min(WAIT_MS * 2 ** failures, WAIT_MAX_MS), () => flush());
    }
  }

  schedule();
  return {
    add(one: T) {
      if (!storage(storageKey, [...stored(), one].slice(-QUEUE_MAX))) unstored.push(one);
      schedule();
    },
    flush,
  };
}
