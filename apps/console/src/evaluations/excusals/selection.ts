import type { Candidate, NewExcusal } from "./excusals-queries";

export interface ReasonText {
  readonly locale: string;
  readonly text: string;
}

/** Why an evaluation cannot be excused. */
export type Obstacle = "final" | "discussion" | "evaluated" | "other";

const LANGUAGE = /^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/;

/** Returns why an evaluation cannot be excused; undefined if it can be. */
export function obstacleOf({ code, status }: Candidate): Obstacle | undefined {
  if (code === undefined || code === null) return undefined;
  if (code === "evaluation_final") return "final";
  if (status === "IN_DISCUSSION") return "discussion";
  return code === "transition_not_allowed" ? "evaluated" : "other";
}

/** Returns the selected evaluations: all that can be excused, without those that were deselected. */
export const selectedOf = (
  candidates: readonly Candidate[],
  deselected: ReadonlySet<string>,
): readonly Candidate[] =>
  candidates.filter((one) => obstacleOf(one) === undefined && !deselected.has(one.id));

export const ridersOf = (candidates: readonly Candidate[]): number =>
  new Set(candidates.map(({ user_id }) => user_id)).size;

/** Returns the reason by language; undefined without a text, or with a text without a language. */
export function reasonOf(texts: readonly ReasonText[]): NewExcusal["text"] | undefined {
  const filled = texts
    .map(({ locale, text }) => ({ locale: locale.trim(), text: text.trim() }))
    .filter(({ text }) => text !== "");
  if (filled.length === 0 || filled.some(({ locale }) => !LANGUAGE.test(locale))) return undefined;
  return Object.fromEntries(filled.map(({ locale, text }) => [locale, text]));
}
