/** Lower bounds in CSS pixels; each one belongs to the wider range. */
export const breakpoints = { mobile: 0, tablet: 768, desktop: 992, largeDesktop: 1200 } as const;

export type Breakpoint = keyof typeof breakpoints;

export function breakpointOf(width: number): Breakpoint {
  if (width >= breakpoints.largeDesktop) return "largeDesktop";
  if (width >= breakpoints.desktop) return "desktop";
  return width >= breakpoints.tablet ? "tablet" : "mobile";
}

export const DRAWER_WIDTH_PX = 300;
export const DRAWER_ANIMATION_MS = 500;
export const DRAWER_DELAY_MS = 100;
export const MODAL_CLOSE_MS = 250;
export const CONSENT_HEADER_PX = 58;
export const CONSENT_FOOTER_PX = 88;

export const shiftStates = [
  "WORKING",
  "LATE",
  "NOT_WORKING",
  "STARTING_SOON",
  "FINISHING_SOON",
  "OVERTIME",
] as const;

export const evaluationStatuses = [
  "PENDING",
  "EVALUATED",
  "IN_DISCUSSION",
  "NO_SHOW",
  "ACCEPTED",
  "REJECTED",
] as const;

export const questStatuses = ["ACHIEVED", "UNACHIEVED", "ONGOING"] as const;

export type ShiftState = (typeof shiftStates)[number];
export type EvaluationStatus = (typeof evaluationStatuses)[number];
export type QuestStatus = (typeof questStatuses)[number];
export type Status = ShiftState | EvaluationStatus | QuestStatus;

/** The custom property that carries the colour of a status; with `-tint` behind it, its ground. */
export function statusColor(status: Status): string {
  const subject = (shiftStates as readonly string[]).includes(status)
    ? "shift"
    : (questStatuses as readonly string[]).includes(status)
      ? "quest"
      : "evaluation";
  return `--mu-color-${subject}-${status.toLowerCase().replaceAll("_", "-")}`;
}
