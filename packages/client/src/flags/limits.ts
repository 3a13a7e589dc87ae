/** For reading the cache: longer than working storage takes, and short beside `BLOCKING_MS`. */
export const CACHE_MS = 1_000;
/** For what a caller waits for. */
export const BLOCKING_MS = 3_000;

/** The value of `work`, or undefined when it fails or takes too long. */
export type Within = <T>(limitMs: number, work: Promise<T>) => Promise<T | undefined>;
