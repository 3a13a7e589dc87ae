import { expect, it } from "vitest";
import { lineOf, offsetOf, pointerOffsets } from "./pointer-lines";

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
])("%s stands in line %d", (pointer, line) => {
  const offsets = pointerOffsets(text);
  if (!offsets) throw new Error("it is JSON");
  expect(lineOf(text, offsetOf(offsets, pointer))).toBe(line);
});

it("points at the values themselves", () => {
  const offsets = pointerOffsets(text);
  expect(text.slice(offsets?.get("/flags/1/rules/0/x~1y~0/1"))).toMatch(/^-2\.5e3/);
});

it("knows no places in what is no JSON", () => {
  expect(pointerOffsets("{")).toBeUndefined();
});
