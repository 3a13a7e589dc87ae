import { expect, it } from "vitest";
import { same } from "./same";

it.each([
  [{ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }, true],
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [[1, 2], [2, 1], false],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ 0: 1 }, [1], false],
  [null, {}, false],
  ["1", 1, false],
])("compares %j and %j: %s", (one, other, is) => {
  expect(same(one, other)).toBe(is);
  expect(same(other, one)).toBe(is);
});
