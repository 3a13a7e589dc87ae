/** A virtual clock. Time passes only when a test advances it. */
export interface Clock {
  now(): number;
  after(delayMs: number, run: () => void): () => void;
  /** Runs all timers that are due in this period and settles promises after each. */
  advance(byMs: number): Promise<void>;
}

export const START_MS = Date.UTC(2026, 10, 21, 9, 30);

/** Waits for the next macrotask. All chains of promises settle before it. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export function createClock(): Clock {
  let now = START_MS;
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  return {
    now: () => now,
    after(delayMs, run) {
      const timer = { at: now + delayMs, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
    async advance(byMs) {
      const end = now + byMs;
      await settle();
      for (;;) {
        const next = timers.reduce<(typeof timers)[number] | undefined>(
          (first, each) => (each.at <= end && !(first && first.at <= each.at) ? each : first),
          undefined,
        );
        if (!next) break;
        timers = timers.filter((each) => each !== next);
        now = next.at;
        next.run();
        await settle();
      }
      now = end;
    },
  };
}
