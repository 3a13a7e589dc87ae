import type { FlagEvent } from "./flag-client";
import type { Managers } from "./managers";
import { BACKGROUND_MS, type Transport } from "./transport";

const BATCH = 50;
const WAIT_MS = 5_000;
const WAIT_MAX_MS = 300_000;
/** Beyond this the service has been away for long, and the phone needs its memory. */
const QUEUE_MAX = 500;

interface Parcel {
  readonly event: FlagEvent;
  delivered(): void;
}

/** Collects what is to be told to the service, and keeps it until the service has it. */
export function createOutbox(transport: Transport, managers: Managers) {
  let queue: Parcel[] = [];
  let failures = 0;
  let stop: (() => void) | undefined;

  function plan() {
    if (!queue.length || stop) return;
    stop = managers.after(Math.min(WAIT_MS * 2 ** failures, WAIT_MAX_MS), () => void flush());
  }

  async function send(keepalive: boolean): Promise<void> {
    const parcels = queue.splice(0, BATCH);
    const outcome = await transport.request({
      method: "POST",
      path: "v3/events",
      body: parcels.map(({ event }) => event),
      limitMs: BACKGROUND_MS,
      // Not `sendBeacon`: it cannot carry the key, and a key in the address would be logged.
      keepalive,
    });
    const refused = "failure" in outcome && /^http_4(?!29|08)/.test(outcome.failure);
    if ("failure" in outcome && !refused) {
      queue = [...parcels, ...queue].slice(0, QUEUE_MAX);
      failures += 1;
    } else {
      failures = 0;
      // Refused: the same again would be refused again, but on another day perhaps not.
      if (!refused) for (const { delivered } of parcels) delivered();
    }
  }

  async function flush(keepalive = false): Promise<void> {
    stop?.();
    stop = undefined;
    const batches = Math.ceil(queue.length / BATCH);
    await Promise.all(Array.from({ length: batches }, () => send(keepalive)));
    plan();
  }

  return {
    add(parcel: Parcel) {
      queue = [...queue.slice(1 - QUEUE_MAX), parcel];
      if (queue.length >= BATCH && !failures) void flush();
      else plan();
    },
    flush,
    close() {
      void flush(true);
      queue = [];
    },
  };
}
