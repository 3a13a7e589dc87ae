import { expect, it } from "vitest";
import type { ApprovalRule } from "../api/approval-rules";
import { inOrder, withoutRule, withRule } from "./rules";

const rule = (subject: ApprovalRule["subject"], scope: string, approvals = 1) => ({
  subject,
  scope,
  approvals,
});

it("keeps one rule for each subject and scope", () => {
  const rules = [rule("terms", "*"), rule("flags", "production")];
  expect(withRule(rules, rule("flags", "production", 2))).toEqual([
    rule("terms", "*"),
    rule("flags", "production", 2),
  ]);
  expect(withRule(rules, rule("flags", "*"))).toHaveLength(3);
  expect(withoutRule(rules, rule("terms", "*", 3))).toEqual([rule("flags", "production")]);
});

it("lists the rule for all the rest last", () => {
  const rules = [rule("flags", "*"), rule("terms", "*"), rule("terms", "FREELANCER")];
  expect(inOrder(rules).map(({ subject, scope }) => `${subject} ${scope}`)).toEqual([
    "terms FREELANCER",
    "terms *",
    "flags *",
  ]);
});
