import type { Wire } from "../api/wire";

export type Evaluation = Wire<"EvaluationBody">;
export type EvaluationDetail = Wire<"EvaluationDetail">;
export type EvaluationVersion = Wire<"EvaluationVersionBody">;
export type Assignment = Wire<"AssignmentBody">;
export type Figures = Wire<"FiguresBody">;
export type Discussion = Wire<"DiscussionBody">;
export type Status = Wire<"EvaluationStatus">;
export type Transition = Wire<"TransitionBody">;

/** The lengths that the server requires, counted in characters. */
export const MESSAGE_MIN = 20;
export const MESSAGE_MAX = 4000;
/** After the answer to the rider's second discussion, the evaluation is final. */
const ROUNDS_MAX = 2;
const DAY_MS = 86_400_000;

export const FIGURES = [
  "planned_minutes",
  "worked_minutes",
  "late_by_seconds",
  "early_by_seconds",
  "overtime_seconds",
] as const satisfies readonly (keyof Figures)[];
export type Figure = (typeof FIGURES)[number];

/** Returns the length of a figure in seconds. */
export function secondsOf(name: Figure, figures: Figures | null | undefined): number | undefined {
  const value = figures?.[name];
  if (value === null || value === undefined) return undefined;
  return name.endsWith("_minutes") ? value * 60 : value;
}

/** The whole days until the answer is due; negative if it is overdue. */
export function daysLeft(due: string, now: Date): number {
  const days = (Date.parse(due) - now.getTime()) / DAY_MS;
  return days < 0 ? Math.ceil(days) - 1 : Math.floor(days);
}

/** How good a status is for the rider. An answer to the rider must not be worse than the contested status. */
const RANKS = { ACCEPTED: 2, EVALUATED: 1, NO_SHOW: 0, REJECTED: 0 } as const;
const OUTCOMES = ["ACCEPTED", "EVALUATED", "NO_SHOW", "REJECTED"] as const;
export type Outcome = (typeof OUTCOMES)[number];

const isOutcome = (status: Status): status is Outcome => status in RANKS;

/** Returns the outcomes of an answer that the server allows. */
export function outcomesOf({ opened_by, contested }: Discussion): readonly Outcome[] {
  const least = opened_by === "rider" && isOutcome(contested) ? RANKS[contested] : 0;
  return OUTCOMES.filter((status) => RANKS[status] >= least);
}

export const isFinalAfterAnswer = ({ opened_by, round }: Discussion): boolean =>
  opened_by === "rider" && round >= ROUNDS_MAX;

/** Whether this person made a decision of the evaluation, so that another reviewer must answer. */
export function isOwnDecision({ history }: EvaluationDetail, userId: string | undefined): boolean {
  return history.some(({ by }) => by.user_id !== undefined && by.user_id === userId);
}

/** Counts characters as the server does: by code points, after trimming. */
export const lengthOf = (text: string): number => [...text.trim()].length;

/** Returns the evaluation to open after this one: the next in the list, else the first one left. */
export function following(list: readonly Evaluation[], id: string): Evaluation | undefined {
  const open = list.filter((one) => one.status === "IN_DISCUSSION" || one.id === id);
  const at = open.findIndex((one) => one.id === id);
  return open[at + 1] ?? open.find((one) => one.id !== id);
}

/** Returns the one before this one in the list. */
export function preceding(list: readonly Evaluation[], id: string): Evaluation | undefined {
  return list[list.findIndex((one) => one.id === id) - 1];
}

/** Returns a text in the first language that has one. */
export function textFor(texts: Readonly<Record<string, string>>, language: string) {
  const lang = [language, "en", ...Object.keys(texts)].find((tag) => tag in texts) ?? "";
  return { lang, text: texts[lang] ?? "" };
}
