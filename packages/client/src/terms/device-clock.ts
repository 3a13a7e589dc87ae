import type { Schema } from "../api";

type Submission = Schema<"SubmissionBody">;

/** A smaller offset may come from the precision of `Date`, which is a second, and from the network. */
const PRECISION_MS = 2_000;

let learnedOffsetMs: number | undefined;

/** Returns the milliseconds to add to the device's clock, from the `Date` header of a response that has just arrived. */
export function clockOffset(date: string | null | undefined): number | undefined {
  const sentAt = Date.parse(date ?? "");
  // The header is truncated to the second: half a second is the mean error.
  return sentAt ? sentAt + 500 - Date.now() : undefined;
}

/** Learns the offset of the device's clock from a response, unless a cache may have stored it. */
export function observeClock(response: Response, method = "GET"): void {
  // The `fetch` of a host may return objects without headers.
  const header = (name: string) => response.headers?.get?.(name);
  const isStored = method === "GET" && !/no-store/.test(header("cache-control") ?? "");
  const offsetMs = isStored ? undefined : clockOffset(header("date"));
  if (offsetMs !== undefined) learnedOffsetMs = offsetMs;
}

/** Returns the learned milliseconds to add to the device's clock. Zero if they are unknown or negligible. */
export function learnedClockOffset(): number {
  const offsetMs = learnedOffsetMs ?? 0;
  return Math.abs(offsetMs) < PRECISION_MS ? 0 : offsetMs;
}

/**
 * Corrects the times of a submission by the offset of the device's clock, and adds the time of that clock as
 * evidence. An earlier correction is replaced.
 */
export function withClockOffset(submission: Submission, offsetMs: number): Submission {
  const earlierMs = submission.clock_offset_ms ?? 0;
  const shifted = (time: string, byMs: number) => new Date(Date.parse(time) + byMs).toISOString();
  const deviceTimes = submission.consents.map((consent) =>
    shifted(consent.consented_at, -earlierMs),
  );
  const [deviceAt] = deviceTimes;
  return {
    ...submission,
    consents: submission.consents.map((consent) => ({
      ...consent,
      consented_at: shifted(consent.consented_at, offsetMs - earlierMs),
    })),
    ...(deviceAt && { device_at: deviceAt, clock_offset_ms: offsetMs }),
  };
}
