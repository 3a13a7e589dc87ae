import { type Evaluation, type Figures, plannedTimes } from "./evaluation";

/** The fields of the form, as the rider typed them. */
export interface Claim {
  readonly message: string;
  /** `HH:MM` on this device's clock; empty if the rider does not say. */
  readonly start: string;
  readonly end: string;
  readonly minutes: string;
}

export const EMPTY_CLAIM: Claim = { message: "", start: "", end: "", minutes: "" };
export const MESSAGE_MIN = 10;
export const MESSAGE_MAX = 4000;

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** Counts characters as the server does: by code points, after trimming. */
export function messageLength(message: string): number {
  return [...message.trim()].length;
}

/**
 * Returns the instant of a time of day that is nearest to the planned instant, because a shift can
 * begin before midnight and end after it.
 */
export function nearestTime(planned: Date, time: string): Date | undefined {
  const [hours, minutes] = time.split(":").map(Number);
  if (!/^\d\d:\d\d/.test(time) || hours === undefined || minutes === undefined) return undefined;
  const plannedMinutes = planned.getHours() * 60 + planned.getMinutes();
  const difference = hours * 60 + minutes - plannedMinutes;
  const half = DAY_MINUTES / 2;
  const nearest = ((((difference + half) % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES) - half;
  // Without the planned seconds: the rider states whole minutes.
  const whole = planned.getTime() - (planned.getTime() % MINUTE_MS);
  return new Date(whole + nearest * MINUTE_MS);
}

/** Returns the figures that are right according to the rider; undefined if they state none. */
export function claimedFigures(
  evaluation: Pick<Evaluation, "subject">,
  claim: Claim,
): Figures | undefined {
  const planned = plannedTimes(evaluation);
  const start = planned.start && nearestTime(planned.start, claim.start);
  const end = planned.end && nearestTime(planned.end, claim.end);
  const seconds = (from: Date, to: Date) =>
    Math.max(0, Math.round((to.getTime() - from.getTime()) / 1000));
  const minutes = claim.minutes.trim();
  const figures: Figures = {
    ...(start && planned.start && { late_by_seconds: seconds(planned.start, start) }),
    ...(end &&
      planned.end && {
        early_by_seconds: seconds(end, planned.end),
        overtime_seconds: seconds(planned.end, end),
      }),
    ...(/^\d{1,5}$/.test(minutes) && { worked_minutes: Number(minutes) }),
  };
  return Object.keys(figures).length > 0 ? figures : undefined;
}
