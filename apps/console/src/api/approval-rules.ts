import { queryOptions } from "@tanstack/react-query";
import { api } from "./client";
import type { Wire } from "./wire";

export type ApprovalRule = Wire<"ApprovalRuleBody">;

const RULES = "/api/admin/v1/approval-rules";

export const rulesQuery = queryOptions({
  queryKey: [RULES],
  queryFn: () => api.get(RULES),
});

export const saveRules = (rules: readonly ApprovalRule[], breakGlass?: string) =>
  api.put(RULES, { body: rules, ...(breakGlass && { query: { break_glass: breakGlass } }) });

/**
 * Returns how many colleagues must approve. A rule for this scope takes precedence over the general
 * rule.
 */
export function approvalsNeeded(
  rules: readonly ApprovalRule[],
  subject: ApprovalRule["subject"],
  scope: string,
): number {
  const own = rules.filter((rule) => rule.subject === subject);
  const rule = own.find((rule) => rule.scope === scope) ?? own.find((rule) => rule.scope === "*");
  return rule?.approvals ?? 0;
}
