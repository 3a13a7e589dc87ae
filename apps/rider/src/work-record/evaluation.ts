import type { Schema } from "@musette/client/api";
import { regional } from "@musette/react/language";

export type Evaluation = Schema<"EvaluationBody">;
export type EvaluationDetail = Schema<"EvaluationDetail">;
export type EvaluationVersion = Schema<"EvaluationVersionBody">;
export type Figures = Schema<"FiguresBody">;
export type Discussion = Schema<"DiscussionBody">;

/** Each side opens at most two discussions of an evaluation. */
const ROUNDS_MAX = 2;
const SECOND_MS = 1000;

export interface Times {
  readonly start?: Date;
  readonly end?: Date;
}

export function plannedTimes({ subject }: Pick<Evaluation, "subject">): Times {
  return {
    start: new Date(subject.starts_at),
    ...(subject.ends_at && { end: new Date(subject.ends_at) }),
  };
}

/**
 * Returns the actual times that the figures give: they are recorded as distances from the plan. A
 * time without a figure is unknown.
 */
export function actualTimes({ subject, figures }: Pick<Evaluation, "subject" | "figures">): Times {
  const { late_by_seconds: late, early_by_seconds: early, overtime_seconds: over } = figures;
  const after = (instant: string, seconds: number) =>
    new Date(Date.parse(instant) + seconds * SECOND_MS);
  const isEndKnown = subject.ends_at && (early ?? over ?? undefined) !== undefined;
  return {
    ...(typeof late === "number" && { start: after(subject.starts_at, late) }),
    ...(isEndKnown && { end: after(subject.ends_at as string, (over ?? 0) - (early ?? 0)) }),
  };
}

/** Whether the rider can contest an evaluation now, and if not, why. */
export type ContestState = "open" | "undecided" | "discussed" | "rounds" | "final";

export function contestState(evaluation: EvaluationDetail, now: Date): ContestState {
  const { status, finalised_at, contest_until, history } = evaluation;
  if (status === "PENDING") return "undecided";
  if (status === "IN_DISCUSSION") return "discussed";
  const rounds = history.filter(({ to, by }) => to === "IN_DISCUSSION" && by.kind === "rider");
  if (rounds.length >= ROUNDS_MAX) return "rounds";
  const isOver = finalised_at !== null || contest_until === null;
  return isOver || now > new Date(contest_until) ? "final" : "open";
}

/**
 * Returns the version with the decision: the newest one that a program or a colleague made,
 * without opened and withdrawn discussions. Undefined before the first decision.
 */
export function decisionOf({ history }: EvaluationDetail): EvaluationVersion | undefined {
  return history.findLast(({ from, to, by, message }) => {
    const isDiscussion = to === "IN_DISCUSSION" || (from === "IN_DISCUSSION" && message === null);
    return (by.kind === "service" || by.kind === "human") && to !== "PENDING" && !isDiscussion;
  });
}

/** Whether the rider can confirm an evaluation. */
export function canConfirm({ status, finalised_at }: Evaluation): boolean {
  return status === "EVALUATED" && finalised_at === null;
}

/**
 * Returns the text in the first of the reader's languages that has one (RFC 4647 lookup). Without
 * any it is better to show another language than no reason.
 */
export function textFor(
  texts: Readonly<Record<string, string>>,
  languages: readonly string[],
): { readonly text: string; readonly lang: string } | undefined {
  const tags = new Map(Object.keys(texts).map((tag) => [tag.toLowerCase(), tag]));
  for (const language of [...languages, "en"]) {
    const parts = language.toLowerCase().split("-");
    for (; parts.length > 0; parts.pop()) {
      const tag = tags.get(parts.join("-"));
      if (tag !== undefined) return { text: texts[tag] ?? "", lang: tag };
    }
  }
  const [first] = Object.entries(texts);
  return first && { lang: first[0], text: first[1] };
}

const UNITS = [
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** Formats a length of time with its units: `4 hours 12 minutes`. */
export function duration(locale: string, seconds: number): string {
  let rest = seconds;
  const parts = UNITS.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    const isShown = count > 0 || (seconds === 0 && unit === "minute");
    if (!isShown) return [];
    const options = { style: "unit", unit, unitDisplay: "long" } as const;
    return [new Intl.NumberFormat(locale, options).format(count)];
  });
  return parts.join(" ");
}

/** Returns the address of the description of the system that was in effect at the decision. */
export function systemHref(
  system: NonNullable<Evaluation["system"]>,
  decidedAt: string,
  market: string | null | undefined,
): string {
  const query = new URLSearchParams({ system: system.name, at: decidedAt });
  if (market) query.set("market", market);
  return `/automated-systems?${query}`;
}

/** The time zone of this device, by its name in the reader's language. */
export function zoneName(locale: string, at: Date): string {
  const format = new Intl.DateTimeFormat(regional(locale), { timeZoneName: "long" });
  return format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
}
