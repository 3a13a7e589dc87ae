import type { Core } from "./core";
import type { FlagEvent } from "./flag-client";

const BATCH = 50;
const WAIT_MS = 5_000;
const WAIT_MAX_MS = 300_000;
const ANSWER_MS = 10_000;

/**
 * Tells the service what is untold, and forgets it when the service has it: over a reload too. Told
 * twice, by two tabs, it counts once: its id is the same.
 */
export function createOutbox({ managers, request, keep, untold, untoldKey }: Core) {
  const underWay = new Set<string>();
  let failures = 0;
  let stop: (() => void) | undefined;

  const stored = () => {
    const found = keep(untoldKey);
    return Array.isArray(found) ? (found as FlagEvent[]) : [];
  };
  const waiting = () => [...stored(), ...untold].filter(({ id }) => !underWay.has(id));

  function forget(ids: ReadonlySet<string>) {
    const rest = untold.filter(({ id }) => !ids.has(id));
    untold.splice(0, untold.length, ...rest);
    const before = stored();
    if (before.length)
      keep(
        untoldKey,
        before.filter(({ id }) => !ids.has(id)),
      );
  }

  async function send(events: FlagEvent[], keepalive: boolean): Promise<void> {
    const ids = new Set(events.map(({ id }) => id));
    for (const id of ids) underWay.add(id);
    const { failure = "" } = await request({
      method: "POST",
      path: "v3/events",
      body: events,
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
    const events = waiting();
    while (events.length) void send(events.splice(0, BATCH), keepalive);
  }

  function plan() {
    const count = waiting().length;
    if (count >= BATCH && !failures) flush();
    else if (count) {
      stop ??= managers.after(Math.min(WAIT_MS * 2 ** failures, WAIT_MAX_MS), () => flush());
    }
  }

  plan();
  return { plan, flush };
}
