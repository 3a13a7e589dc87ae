import { expect, it } from "vitest";
import { approvalsNeeded } from "./approval-rules";

const rule = (subject: "flags" | "terms", scope: string, approvals: number) => ({
  subject,
  scope,
  approvals,
});

it("uses the most specific rule", () => {
  const rules = [rule("flags", "*", 2), rule("flags", "staging", 0), rule("terms", "*", 3)];
  expect(approvalsNeeded(rules, "flags", "production")).toBe(2);
  expect(approvalsNeeded(rules, "flags", "staging")).toBe(0);
  expect(approvalsNeeded(rules.slice(2), "flags", "production")).toBe(0);
});
