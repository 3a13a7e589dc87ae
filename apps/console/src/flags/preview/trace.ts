import type { Json, Operator, Test } from "../../configuration/document/document";
import type { TraceStep } from "./preview-query";

/** A step of the evaluation. */
export type EvaluationStep =
  | { readonly kind: "test"; readonly test: Test; readonly got: Json }
  | { readonly kind: "draw"; readonly unit: string; readonly percent: number; readonly at?: number }
  | { readonly kind: "holdout"; readonly unit: string; readonly group: string }
  | { readonly kind: "prerequisite"; readonly got: Json }
  | { readonly kind: "override"; readonly unit: string; readonly got: Json }
  | { readonly kind: "slot" | "covered" | "assigned"; readonly unit: string }
  | { readonly kind: "other"; readonly cond: string };

const WHOLE = 100_000;
const OPERATOR = /^(.+?) (\w+)(?: (.+))?$/s;

/** Parses a condition that the server wrote for programs, so that it can be shown in any language. */
export function parseStep({ cond, got }: TraceStep, names: readonly string[]): EvaluationStep {
  const draw = /^(.+) is in (\d+) of 100000$/.exec(cond);
  if (draw?.[1]) {
    const bucket = /^bucket (\d+)$/.exec(String(got))?.[1];
    const percent = Number(draw[2]) / (WHOLE / 100);
    const at = bucket === undefined ? {} : { at: Number(bucket) / (WHOLE / 100) };
    return { kind: "draw", unit: draw[1], percent, ...at };
  }
  if (cond === "serves what is asked") return { kind: "prerequisite", got };
  for (const [tail, kind] of TAILS) {
    if (!cond.endsWith(tail)) continue;
    const unit = cond.slice(0, -tail.length);
    if (kind === "holdout") return { kind, unit, group: String(got) };
    if (kind === "override") return { kind, unit, got };
    return { kind, unit };
  }
  const name = names.find((name) => cond.startsWith(`${name} `));
  const [, attr, op, operand] = OPERATOR.exec(name ? `x${cond.slice(name.length)}` : cond) ?? [];
  if (!attr || !op) return { kind: "other", cond };
  const test = parseTest(name ?? attr, op as Operator, operand);
  return test ? { kind: "test", test, got } : { kind: "other", cond };
}

/** Whether a rule's conditions match, but its percentage excludes this person. */
export const isOutsidePercentage = (trace: readonly TraceStep[] = []) =>
  trace.some((step) => {
    if (step.ok || !step.step.startsWith("rule:")) return false;
    const looked = parseStep(step, []);
    return looked.kind === "draw"
      ? looked.at !== undefined
      : looked.kind === "slot" || looked.kind === "covered";
  });

const TAILS = [
  [" is held out", "holdout"],
  [" is named", "override"],
  [" is in the layer's slot", "slot"],
  [" is covered", "covered"],
  [" has an assignment", "assigned"],
  [" has no assignment that is too old", "assigned"],
] as const;

function parseTest(attr: string, op: Operator, operand: string | undefined): Test | undefined {
  if (operand === undefined) return { attr, op };
  if (op === "before" || op === "after") return { attr, op, value: operand };
  try {
    const value: Json = JSON.parse(operand);
    return Array.isArray(value) ? { attr, op, values: value } : { attr, op, value };
  } catch {
    return undefined;
  }
}
