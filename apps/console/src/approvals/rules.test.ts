import { expect, it } from "vitest";
import type { ApprovalRule } from "../api/approval-rules";
import { changedRules, inOrder, withoutRule, withRule } from "./rules";

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

it("lists the general rule last", () => {
  const rules = [rule("flags", "*"), rule("terms", "*"), rule("terms", "FREELANCER")];
  expect(inOrder(rules).map(({ subject, scope }) => `${subject} ${scope}`)).toEqual([
    "terms FREELANCER",
    "terms *",
    "flags *",
  ]);
});

it("returns the subjects that need another number of approvals", () => {
  const before = [rule("terms", "*", 2), rule("terms", "A", 1), rule("flags", "production")];
  const after = [rule("terms", "*", 2), rule("flags", "production", 0), rule("terms", "B", 0)];
  expect(changedRules(before, after)).toEqual([
    { subject: "terms", scope: "A", was: 1, will: 2 },
    { subject: "terms", scope: "B", was: 2, will: 0 },
    { subject: "flags", scope: "production", was: 1, will: 0 },
  ]);
  expect(changedRules(before, before)).toEqual([]);
});
