import { type ApprovalRule, approvalsNeeded } from "../api/approval-rules";

const same = (a: ApprovalRule, b: ApprovalRule) => a.subject === b.subject && a.scope === b.scope;

/** Returns the rules with this rule in place of the one for the same subject and scope. */
export const withRule = (
  rules: readonly ApprovalRule[],
  rule: ApprovalRule,
): readonly ApprovalRule[] =>
  rules.some((other) => same(other, rule))
    ? rules.map((other) => (same(other, rule) ? rule : other))
    : [...rules, rule];

export const withoutRule = (
  rules: readonly ApprovalRule[],
  rule: ApprovalRule,
): readonly ApprovalRule[] => rules.filter((other) => !same(other, rule));

/** How many approvals a subject and scope needs before and after. */
export interface ChangedRule {
  readonly subject: ApprovalRule["subject"];
  readonly scope: string;
  readonly was: number;
  readonly will: number;
}

/** Returns every subject and scope whose number of approvals differs with the rules `after`. */
export function changedRules(
  before: readonly ApprovalRule[],
  after: readonly ApprovalRule[],
): readonly ChangedRule[] {
  const scopes = inOrder(
    before.reduce((all, rule) => withRule(all, rule), after as readonly ApprovalRule[]),
  );
  return scopes.flatMap(({ subject, scope }) => {
    const was = approvalsNeeded(before, subject, scope);
    const will = approvalsNeeded(after, subject, scope);
    return was === will ? [] : [{ subject, scope, was, will }];
  });
}

/** Sorts the rules by subject, with the general rule last. */
export const inOrder = (rules: readonly ApprovalRule[]): readonly ApprovalRule[] =>
  rules.toSorted(
    (a, b) =>
      b.subject.localeCompare(a.subject) ||
      Number(a.scope === "*") - Number(b.scope === "*") ||
      a.scope.localeCompare(b.scope),
  );
