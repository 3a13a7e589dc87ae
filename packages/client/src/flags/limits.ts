/** Longer than any healthy storage takes, and short beside the 3 s that a person may wait. */
export const CACHE_MS = 1_000;
/** For what the interface waits for. */
export const BLOCKING_MS = 3_000;

/** The outcome of `work`, or nothing when it fails or takes too long. */
export type Within = <T>(limitMs: number, work: Promise<T>) => Promise<T | undefined>;
