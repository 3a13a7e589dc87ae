import { expect, it } from "vitest";
import { moved } from "./moved";

it.each([
  [0, 2, "bca"],
  [2, 0, "cab"],
  [1, 1, "abc"],
  [0, -1, "abc"],
  [2, 3, "abc"],
  [7, 0, "abc"],
])("moves from %d to %d", (from, to, after) => {
  expect(moved([..."abc"], from, to).join("")).toBe(after);
});
