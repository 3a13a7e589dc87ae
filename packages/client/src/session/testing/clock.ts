/** Virtual time: nothing happens until a test lets it. */
export interface Clock {
  now(): number;
  after(delayMs: number, run: () => void): () => void;
  /** Runs everything that is due until then, with all promises settled in between. */
  advance(byMs: number): Promise<void>;
}

export const START_MS = Date.UTC(2026, 10, 21, 9, 30);

/** Long enough for every chain of promises: microtasks come before the next macrotask. */
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
