import { expect, it } from "vitest";
import type { AttributeType } from "../../configuration/document/document";
import { attributesFrom } from "./person";

it("sends typed values with the types of their attributes, and no empty ones", () => {
  const types = new Map<string, AttributeType>([
    ["hours", "number"],
    ["mentor", "boolean"],
    ["zones", "string[]"],
    ["levels", "number[]"],
  ]);
  const person = {
    userId: "7",
    hours: "31.5",
    mentor: "false",
    zones: "a, b,",
    levels: "1,2",
    x: " ",
  };
  expect(attributesFrom(person, types)).toEqual({
    userId: "7",
    hours: 31.5,
    mentor: false,
    zones: ["a", "b"],
    levels: [1, 2],
  });
  expect(attributesFrom({ hours: "many" }, types)).toEqual({ hours: "many" });
});
