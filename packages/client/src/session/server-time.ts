import type { Managers } from "./managers";

/** The server's clock, as far as its answers tell: a phone's own is often wrong. */
export interface ServerTime {
  now(): number;
  /** Learns from the `Date` of an answer that has just come. */
  observe(date: string | null | undefined): void;
}

export function createServerTime(managers: Pick<Managers, "now">): ServerTime {
  let offsetMs = 0;
  return {
    now: () => managers.now() + offsetMs,
    observe(date) {
      const sentAt = Date.parse(date ?? "");
      // The header is cut to the second. Its end is taken: a token that the server found expired
      // must look expired here, since "not expired" logs out, and a needless refresh does no harm.
      if (sentAt) offsetMs = sentAt + 1000 - managers.now();
    },
  };
}
