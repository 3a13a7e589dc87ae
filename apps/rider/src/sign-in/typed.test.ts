import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { codeIn, identifierIn } from "./typed";

const cases: {
  readonly identifiers: readonly [string, string | null][];
  readonly codes: readonly [string, string][];
} = JSON.parse(
  readFileSync(new URL("../../../../testdata/identifiers.json", import.meta.url), "utf8"),
);

it.each([
  ...cases.codes,
  ["12", "12"],
  ["1234567", "123456"],
  ["Your code is 042917. It is good for 10 minutes.", "042917"],
  ["In 10 minutes: 042917", "042917"],
  ["no digits", ""],
])("%j contains the code %j", (text, code) => {
  expect(codeIn(text)).toBe(code);
});

it.each(cases.identifiers)("%j is sent as %j", (text, identifier) => {
  expect(identifierIn(text) ?? null).toBe(identifier);
});
