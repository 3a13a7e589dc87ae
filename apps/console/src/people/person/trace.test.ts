import { expect, it } from "vitest";
import { grouped, nameOf, readCondition } from "./trace";

it.each([
  ["hoursThisWeek gte 30", { kind: "test", attribute: "hoursThisWeek", test: "gte", than: "30" }],
  [
    'vehicle in ["e-bike","in the shed"]',
    { kind: "test", attribute: "vehicle", test: "in", than: '["e-bike","in the shed"]' },
  ],
  ["email exists", { kind: "test", attribute: "email", test: "exists", than: "" }],
  [
    'appVersion semver_gte "3.2.0"',
    { kind: "test", attribute: "appVersion", test: "semver_gte", than: '"3.2.0"' },
  ],
  ["userId is named", { kind: "draw", attribute: "userId", draw: "named" }],
  ["userId is held out", { kind: "draw", attribute: "userId", draw: "heldOut" }],
  ["deviceId is covered", { kind: "draw", attribute: "deviceId", draw: "covered" }],
  ["userId is in 12500 of 100000", { kind: "share", attribute: "userId", percent: 0.125 }],
  ["serves what is asked", { kind: "serves" }],
  ["the moon is full", { kind: "other", text: "the moon is full" }],
])("%s", (cond, expected) => {
  expect(readCondition(cond)).toEqual(expected);
});

it("returns the name of what decided", () => {
  expect(nameOf("rule:long-weeks")).toBe("long-weeks");
  expect(nameOf("rule:a:b")).toBe("a:b");
  expect(nameOf("default")).toBe("default");
});

it("groups the conditions of one rule, in order", () => {
  const step = (step: string, cond: string) => ({ step, cond, got: null, ok: true });
  const trace = [step("holdout:q4", "a"), step("rule:x", "b"), step("rule:x", "c")];
  expect(grouped(trace).map(({ step, steps }) => [step, steps.length])).toEqual([
    ["holdout:q4", 1],
    ["rule:x", 2],
  ]);
});
