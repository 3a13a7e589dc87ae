/** Limit for reading the cache: longer than a working storage needs, and much shorter than `BLOCKING_MS`. */
export const CACHE_MS = 1_000;
/** Limit for calls that a caller waits for. */
export const BLOCKING_MS = 3_000;

/** Resolves to the value of `work`, or to undefined if it fails or takes too long. */
export type Within = <T>(limitMs: number, work: Promise<T>) => Promise<T | undefined>;
