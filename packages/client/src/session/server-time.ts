import type { Managers } from "./managers";

/** The server's clock, estimated from its responses, because the clock of a phone is often wrong. */
export interface ServerTime {
  now(): number;
  /** Whether a response has told the time. Pages of another origin cannot read `Date` unless the host exposes it. */
  known(): boolean;
  /** Updates the estimate from the `Date` header of a response that has just arrived. */
  observe(date: string | null | undefined): void;
}

export function createServerTime(managers: Pick<Managers, "now">): ServerTime {
  let offsetMs: number | undefined;
  return {
    now: () => managers.now() + (offsetMs ?? 0),
    known: () => offsetMs !== undefined,
    observe(date) {
      const sentAt = Date.parse(date ?? "");
      // The header is truncated to the second, so this adds one second. A token that is expired for the
      // server must be expired here too: "not expired" would end the session, but a needless refresh is harmless.
      if (sentAt) offsetMs = sentAt + 1000 - managers.now();
    },
  };
}
