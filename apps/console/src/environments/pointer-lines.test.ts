import { parseTree } from "jsonc-parser";
import { expect, it } from "vitest";
import { lineOf, offsetOf } from "./pointer-lines";

const text = `{
  "flags": [
    { "key": "a\\"b", "rules": [] },
    { "key": "c",
      "rules": [ { "x/y~": [1, -2.5e3, true], "z": {} } ] }
  ]
}`;

it.each([
  ["", 1],
  ["/flags", 2],
  ["/flags/0/key", 3],
  ["/flags/1", 4],
  ["/flags/1/rules/0/x~1y~0/2", 5],
  ["/flags/1/rules/0/z", 5],
  ["/flags/1/owner", 4],
  ["/layers/0", 1],
])("finds %s on line %d", (pointer, line) => {
  expect(lineOf(text, offsetOf(parseTree(text), pointer))).toBe(line);
});

it("returns the offsets of the values themselves", () => {
  const offset = offsetOf(parseTree(text), "/flags/1/rules/0/x~1y~0/1");
  expect(text.slice(offset)).toMatch(/^-2\.5e3/);
});

it("returns the start of an empty text", () => {
  expect(offsetOf(parseTree(""), "/flags")).toBe(0);
});
