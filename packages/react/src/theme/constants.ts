/** Lower bounds of the ranges of widths in CSS pixels. A bound belongs to the wider range. */
export const breakpoints = { mobile: 0, tablet: 768, desktop: 992, largeDesktop: 1200 } as const;

/** The name of a range of widths. */
export type Breakpoint = keyof typeof breakpoints;

/** Returns the range of a width in CSS pixels. */
export function breakpointOf(width: number): Breakpoint {
  if (width >= breakpoints.largeDesktop) return "largeDesktop";
  if (width >= breakpoints.desktop) return "desktop";
  return width >= breakpoints.tablet ? "tablet" : "mobile";
}

/** Default width of a drawer in CSS pixels. */
export const DRAWER_WIDTH_PX = 300;
/** Duration of the animation of a drawer in milliseconds. */
export const DRAWER_ANIMATION_MS = 500;
/** Delay of the animation of a drawer in milliseconds. */
export const DRAWER_DELAY_MS = 100;
/** Time in milliseconds after which a closed modal is removed from the page. */
export const MODAL_CLOSE_MS = 250;
/** Height of the header of the consent screen in CSS pixels. */
export const CONSENT_HEADER_PX = 58;
/** Height of the footer of the consent screen in CSS pixels, without the safe area. */
export const CONSENT_FOOTER_PX = 88;

/** The states of a shift that have a colour. */
export const shiftStates = [
  "WORKING",
  "LATE",
  "NOT_WORKING",
  "STARTING_SOON",
  "FINISHING_SOON",
  "OVERTIME",
] as const;

/** The statuses of an evaluation that have a colour. */
export const evaluationStatuses = [
  "PENDING",
  "EVALUATED",
  "IN_DISCUSSION",
  "NO_SHOW",
  "ACCEPTED",
  "REJECTED",
] as const;

/** The statuses of a quest that have a colour. */
export const questStatuses = ["ACHIEVED", "UNACHIEVED", "ONGOING"] as const;

/** The state of a shift. */
export type ShiftState = (typeof shiftStates)[number];
/** The status of an evaluation. */
export type EvaluationStatus = (typeof evaluationStatuses)[number];
/** The status of a quest. */
export type QuestStatus = (typeof questStatuses)[number];
/** All statuses of `StatusBadge`. */
export type Status = ShiftState | EvaluationStatus | QuestStatus;

/** Returns the custom property with the colour of a status. With the suffix `-tint` it is the background. */
export function statusColor(status: Status): string {
  const subject = (shiftStates as readonly string[]).includes(status)
    ? "shift"
    : (questStatuses as readonly string[]).includes(status)
      ? "quest"
      : "evaluation";
  return `--mu-color-${subject}-${status.toLowerCase().replaceAll("_", "-")}`;
}
