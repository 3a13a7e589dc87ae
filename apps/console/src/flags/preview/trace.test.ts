import { expect, it } from "vitest";
import { isOutsidePercentage, parseStep } from "./trace";

const names = ["town", "hours this week", "appVersion"];
const read = (cond: string, got: string | number | null = null) =>
  parseStep({ step: "rule:r", cond, got, ok: true }, names);

it("parses a test with the type of its operand", () => {
  expect(read('town in ["Dunmarsh","Port Merrow"]', "Dunmarsh")).toEqual({
    kind: "test",
    test: { attr: "town", op: "in", values: ["Dunmarsh", "Port Merrow"] },
    got: "Dunmarsh",
  });
  expect(read("hours this week gte 30")).toMatchObject({
    test: { attr: "hours this week", op: "gte", value: 30 },
  });
  expect(read("town exists")).toMatchObject({ test: { attr: "town", op: "exists" } });
  expect(read("since after 2026-09-01T00:00:00.000Z")).toMatchObject({
    test: { attr: "since", op: "after", value: "2026-09-01T00:00:00.000Z" },
  });
});

it("parses draws, remembered values and holdouts", () => {
  expect(read("userId is in 25000 of 100000", "bucket 4711")).toEqual({
    kind: "draw",
    unit: "userId",
    percent: 25,
    at: 4.711,
  });
  expect(read("userId is in 500 of 100000")).toEqual({
    kind: "draw",
    unit: "userId",
    percent: 0.5,
  });
  expect(read("userId is held out", "COMPARISON")).toEqual({
    kind: "holdout",
    unit: "userId",
    group: "COMPARISON",
  });
  expect(read("key is covered")).toEqual({ kind: "covered", unit: "key" });
  expect(read("serves what is asked", "on")).toEqual({ kind: "prerequisite", got: "on" });
});

it("shows an unknown step unchanged", () => {
  expect(read("ip cidr [2 ranges]")).toEqual({ kind: "other", cond: "ip cidr [2 ranges]" });
});

it("distinguishes a person outside a percentage from one without a matching rule", () => {
  const test = { step: "rule:r", cond: 'town in ["Dunmarsh"]', got: "Dunmarsh", ok: true };
  const draw = {
    step: "rule:r",
    cond: "userId is in 500 of 100000",
    got: "bucket 4711",
    ok: false,
  };
  expect(isOutsidePercentage([test, draw])).toBe(true);
  expect(isOutsidePercentage([{ ...test, ok: false }])).toBe(false);
  expect(isOutsidePercentage([test, { ...draw, got: null }])).toBe(false);
  expect(isOutsidePercentage([{ ...draw, step: "holdout:h" }])).toBe(false);
});
