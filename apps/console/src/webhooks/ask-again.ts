const SOON_MS = 20_000;
const PAUSE_MS = 2_000;

interface Waiting {
  readonly next_attempt_at?: string;
}

/**
 * Returns when to fetch the deliveries again: soon if one is being tried about now; never if all
 * wait for hours.
 */
export function refetchDelay(deliveries: readonly Waiting[], now: number): number | false {
  const isAboutNow = deliveries.some(
    ({ next_attempt_at: at }) => at !== undefined && Date.parse(at) <= now + SOON_MS,
  );
  return isAboutNow && PAUSE_MS;
}
