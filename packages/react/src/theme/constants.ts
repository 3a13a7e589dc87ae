/** Lower bounds in CSS pixels; each one belongs to the wider range. */
export const breakpoints = { mobile: 0, tablet: 768, desktop: 992, largeDesktop: 1200 } as const;

/** A range of widths by its name. */
export type Breakpoint = keyof typeof breakpoints;

/** The range that a width in CSS pixels is in. */
export function breakpointOf(width: number): Breakpoint {
  if (width >= breakpoints.largeDesktop) return "largeDesktop";
  if (width >= breakpoints.desktop) return "desktop";
  return width >= breakpoints.tablet ? "tablet" : "mobile";
}

/** Default width of a drawer in CSS pixels. */
export const DRAWER_WIDTH_PX = 300;
/** How long a drawer moves, in milliseconds. */
export const DRAWER_ANIMATION_MS = 500;
/** How long a drawer waits before it moves, in milliseconds. */
export const DRAWER_DELAY_MS = 100;
/** How long a closed modal stays in the page, in milliseconds. */
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
/** Whatever a `StatusBadge` can show. */
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
