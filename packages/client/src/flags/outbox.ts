import type { Managers } from "./managers";
import type { JsonStorage } from "./storage";
import type { Request } from "./transport";

const BATCH = 50;
const WAIT_MS = 5_000;
const WAIT_MAX_MS = 300_000;
const ANSWER_MS = 10_000;
/** The service has been unreachable for long by then, and storage on a phone is small. */
const QUEUE_MAX = 500;

/** Values on their way to the service. */
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
 * Sends events in batches and keeps each in local storage until the service has it, also over a reload.
 * What two tabs send twice counts once, since it has the same id.
 */
export function createOutbox<T extends { readonly id: string }>(
  { managers, request, storage }: OutboxContext,
  name: "events" | "metrics",
): Outbox<T> {
  const storageKey = `musette_flag_${name}`;
  /** What local storage did not take: lost when the page is closed. */
  let unstored: T[] = [];
  const underWay = new Set<string>();
  let failures = 0;
  let stop: (() => void) | undefined;

  const stored = () => {
    const found = storage(storageKey);
    return Array.isArray(found) ? (found as T[]) : [];
  };
  const waiting = () => [...stored(), ...unstored].filter(({ id }) => !underWay.has(id));

  function forget(ids: ReadonlySet<string>) {
    const isLeft = ({ id }: T) => !ids.has(id);
    unstored = unstored.filter(isLeft);
    const before = stored();
    if (before.length) storage(storageKey, before.filter(isLeft));
  }

  async function send(batch: T[], keepalive: boolean): Promise<void> {
    const ids = new Set(batch.map(({ id }) => id));
    for (const id of ids) underWay.add(id);
    const { failure = "" } = await request({
      method: "POST",
      path: `v3/${name}`,
      body: batch,
      limitMs: ANSWER_MS,
      // Not `sendBeacon`: it cannot carry the key, and a key in the address would be logged.
      keepalive,
    });
    for (const id of ids) underWay.delete(id);
    failures = failure ? failures + 1 : 0;
    // A client error stays one (but 408 and 429); anything else is tried again.
    if (!failure || /_4(?!08|29)/.test(failure)) forget(ids);
    schedule();
  }

  function flush(keepalive = false) {
    stop?.();
    stop = undefined;
    const all = waiting();
    while (all.length) void send(all.splice(0, BATCH), keepalive);
  }

  function schedule() {
    const count = waiting().length;
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
