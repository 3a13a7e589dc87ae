import type { Wire } from "../../api/wire";

/** The server's trace of an evaluation, parsed so that it can be shown as text. */

export type TraceStep = Wire<"TraceStepBody">;

export type Evaluation = Wire<"ResultBody">;

const TESTS = [
  "exists",
  "eq",
  "ne",
  "in",
  "not_in",
  "contains",
  "not_contains",
  "starts",
  "ends",
  "matches",
  "lt",
  "lte",
  "gt",
  "gte",
  "between",
  "semver_eq",
  "semver_lt",
  "semver_lte",
  "semver_gt",
  "semver_gte",
  "before",
  "after",
  "cidr",
  "has_any",
  "has_all",
] as const;

const DRAWS = {
  "is named": "named",
  "is held out": "heldOut",
  "is covered": "covered",
  "is in the layer's slot": "inSlot",
  "has an assignment": "assigned",
  "has no assignment that is too old": "notTooOld",
} as const;

export type Test = (typeof TESTS)[number];
export type Draw = (typeof DRAWS)[keyof typeof DRAWS];

export type Condition =
  | {
      readonly kind: "test";
      readonly attribute: string;
      readonly test: Test;
      readonly than: string;
    }
  | { readonly kind: "draw"; readonly attribute: string; readonly draw: Draw }
  | { readonly kind: "share"; readonly attribute: string; readonly percent: number }
  | { readonly kind: "serves" }
  /** From a newer server: shown unchanged. */
  | { readonly kind: "other"; readonly text: string };

export function readCondition(cond: string): Condition {
  if (cond === "serves what is asked") return { kind: "serves" };
  for (const [suffix, draw] of Object.entries(DRAWS)) {
    const attribute = cond.slice(0, -suffix.length - 1);
    if (cond === `${attribute} ${suffix}`) return { kind: "draw", attribute, draw };
  }
  const share = /^(.+) is in (\d+) of 100000$/.exec(cond);
  if (share?.[1]) {
    return { kind: "share", attribute: share[1], percent: Number(share[2]) / 100_000 };
  }
  // An attribute's name may contain spaces; an operand may contain anything.
  const tested = new RegExp(`^(.+?) (${TESTS.join("|")})(?: (.+))?$`, "s").exec(cond);
  const test = TESTS.find((test) => test === tested?.[2]);
  if (tested?.[1] && test) {
    return { kind: "test", attribute: tested[1], test, than: tested[3] ?? "" };
  }
  return { kind: "other", text: cond };
}

/** Returns the name of the object that decided, without its kind: `rule:long-weeks` → `long-weeks`. */
export const nameOf = (from: string) => from.slice(from.indexOf(":") + 1);

/** Groups the steps of one rule or experiment. */
export function grouped(
  trace: readonly TraceStep[],
): readonly { readonly step: string; readonly steps: readonly TraceStep[] }[] {
  const groups: { step: string; steps: TraceStep[] }[] = [];
  for (const step of trace) {
    const last = groups.at(-1);
    if (last?.step === step.step) last.steps.push(step);
    else groups.push({ step: step.step, steps: [step] });
  }
  return groups;
}
