import { expect, it } from "vitest";
import schema from "../../../../../crates/core/src/flags/schema/flags-1.json";
import type { Test } from "../document/document";
import { en } from "../review/texts/en";
import { arity, newTest, OPERATORS, readToken, withOperator } from "./operators";

it("offers every operator and attribute type of the schema, and no others", () => {
  const offered = new Set(Object.values(OPERATORS).flat());
  expect([...offered].sort()).toEqual([...schema.$defs.operator.enum].sort());
  expect(Object.keys(OPERATORS).sort()).toEqual(
    [...schema.$defs.attribute.properties.type.enum].sort(),
  );
  expect(Object.keys(en.operators).sort()).toEqual([...schema.$defs.operator.enum].sort());
});

it("gives every new test as many operands as its operator takes", () => {
  for (const type of Object.keys(OPERATORS) as (keyof typeof OPERATORS)[]) {
    for (const op of OPERATORS[type]) {
      const test = withOperator(newTest({ name: "x", type }), op, type);
      expect("value" in test, `${type} ${op}`).toBe(arity(op) === "one");
      expect("values" in test, `${type} ${op}`).toBe(["two", "several"].includes(arity(op)));
    }
  }
});

it("keeps the operands that fit the next operator", () => {
  const is: Test = { attr: "town", op: "eq", value: "Dunmarsh" };
  const oneOf = withOperator(is, "in", "string");
  expect(oneOf).toEqual({ attr: "town", op: "in", values: ["Dunmarsh"] });
  expect(withOperator(oneOf, "starts", "string")).toEqual({ ...is, op: "starts" });
  expect(withOperator(is, "exists", "string")).toEqual({ attr: "town", op: "exists" });
  const hours: Test = { attr: "hours", op: "gte", value: 30 };
  expect(withOperator(hours, "between", "number")).toEqual({
    attr: "hours",
    op: "between",
    values: [30, 30],
  });
  expect(withOperator({ attr: "since", op: "eq", value: "then" }, "after", "date").value).toBe("");
});

it("parses a typed list by the attribute's type", () => {
  expect(readToken(" 7 ", "number")).toBe(7);
  expect(readToken("seven", "number")).toBeUndefined();
  expect(readToken("7", "text")).toBe("7");
  expect(readToken("false", "boolean")).toBe(false);
  expect(readToken("  ", "text")).toBeUndefined();
});
