import type { ApprovalRule } from "../api/approval-rules";

const same = (a: ApprovalRule, b: ApprovalRule) => a.subject === b.subject && a.scope === b.scope;

/** With this rule instead of the one about the same. */
export const withRule = (
  rules: readonly ApprovalRule[],
  rule: ApprovalRule,
): readonly ApprovalRule[] =>
  rules.some((it) => same(it, rule))
    ? rules.map((it) => (same(it, rule) ? rule : it))
    : [...rules, rule];

export const withoutRule = (
  rules: readonly ApprovalRule[],
  rule: ApprovalRule,
): readonly ApprovalRule[] => rules.filter((it) => !same(it, rule));

/** By subject, the rule for all the rest last. */
export const inOrder = (rules: readonly ApprovalRule[]): readonly ApprovalRule[] =>
  rules.toSorted(
    (a, b) =>
      b.subject.localeCompare(a.subject) ||
      Number(a.scope === "*") - Number(b.scope === "*") ||
      a.scope.localeCompare(b.scope),
  );
