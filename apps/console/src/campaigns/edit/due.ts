import { periodMs } from "../period";
import { type StepForm, timeOf } from "./form";

export interface TermDates {
  readonly effective_from: string;
  readonly grace_until?: string | undefined;
}

/**
 * Returns when a step is due if the campaign starts at `start`, in milliseconds; undefined while its
 * time is incomplete, or if the document has no such date.
 */
export function dueAt(
  step: StepForm,
  term: TermDates | undefined,
  start: number,
): number | undefined {
  const at = timeOf(step);
  if (step.anchor === "instant") return finite(Date.parse(at.instant ?? ""));
  const length = periodMs(at.by ?? "");
  if (length === undefined) return undefined;
  if (step.anchor === "start") return start + length;
  const date = step.anchor === "grace_until" ? term?.grace_until : term?.effective_from;
  return date === undefined ? undefined : finite(Date.parse(date) - length);
}

const finite = (at: number) => (Number.isFinite(at) ? at : undefined);
