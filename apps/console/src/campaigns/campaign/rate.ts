/** The number of messages that had an outcome at a time. */
export interface Sample {
  readonly at: number;
  readonly settled: number;
}

/** The rate is measured over this time. */
const WINDOW_MS = 60_000;

/** Adds a sample, and drops those that are too old. The last one before the window remains. */
export function withSample(samples: readonly Sample[], next: Sample): readonly Sample[] {
  const recent = samples.filter(
    (_, index) => (samples[index + 1]?.at ?? next.at) >= next.at - WINDOW_MS,
  );
  return [...recent, next];
}

/** Returns the messages a second; undefined before two samples. */
export function rateOf(samples: readonly Sample[]): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at <= first.at) return undefined;
  return (1000 * Math.max(last.settled - first.settled, 0)) / (last.at - first.at);
}

/** Returns the seconds until all waiting messages are sent; undefined if none is sent now. */
export function secondsLeft(waiting: number, rate: number | undefined): number | undefined {
  return rate && waiting > 0 ? Math.ceil(waiting / rate) : undefined;
}
