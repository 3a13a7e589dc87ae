import type { Keep } from "./keep";
import type { Managers } from "./managers";
import type { Request } from "./transport";

const BATCH = 50;
const WAIT_MS = 5_000;
const WAIT_MAX_MS = 300_000;
const ANSWER_MS = 10_000;
/** Beyond this the service has been away for long, and the phone needs its memory. */
const UNTOLD_MAX = 500;

export interface Outbox<T> {
  add(one: T): void;
  flush(keepalive?: boolean): void;
}

interface OutboxContext {
  readonly managers: Pick<Managers, "after">;
  readonly request: Request;
  readonly keep: Keep;
}

/**
 * Tells the service what is untold, and forgets it when the service has it: over a reload too. Told
 * twice, by two tabs, it counts once: its id is the same.
 */
export function createOutbox<T extends { readonly id: string }>(
  { managers, request, keep }: OutboxContext,
  name: "events" | "metrics",
): Outbox<T> {
  const place = `musette_flag_${name}`;
  /** What no local storage keeps: then it lasts as long as the page lives. */
  let unkept: T[] = [];
  const underWay = new Set<string>();
  let failures = 0;
  let stop: (() => void) | undefined;

  const stored = () => {
    const found = keep(place);
    return Array.isArray(found) ? (found as T[]) : [];
  };
  const waiting = () => [...stored(), ...unkept].filter(({ id }) => !underWay.has(id));

  function forget(ids: ReadonlySet<string>) {
    const isLeft = ({ id }: T) => !ids.has(id);
    unkept = unkept.filter(isLeft);
    const before = stored();
    if (before.length) keep(place, before.filter(isLeft));
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
    // What is refused is refused however often; no answer may be one later.
    if (!failure || /_4(?!08|29)/.test(failure)) forget(ids);
    plan();
  }

  function flush(keepalive = false) {
    stop?.();
    stop = undefined;
    const all = waiting();
    while (all.length) void send(all.splice(0, BATCH), keepalive);
  }

  function plan() {
    const count = waiting().length;
    if (count >= BATCH && !failures) flush();
    else if (count) {
      stop ??= managers.after(Math.min(WAIT_MS * 2 ** failures, WAIT_MAX_MS), () => flush());
    }
  }

  plan();
  return {
    add(one: T) {
      if (!keep(place, [...stored(), one].slice(-UNTOLD_MAX))) unkept.push(one);
      plan();
    },
    flush,
  };
}
