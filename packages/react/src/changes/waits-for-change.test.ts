import type { Term } from "@musette/client/terms";
import { expect, it } from "vitest";
import { waitsForChange } from "./waits-for-change";

const term = (id: number, mandatory = true): Term => ({
  id,
  title: "",
  content: "",
  mandatory,
  display_order: id,
});
const terms = [term(1), term(2), term(3, false)];

it.each([
  ["nobody knows what was accepted", [true, true, false], undefined, undefined],
  ["nothing was accepted", [false, false, false], [], undefined],
  ["something required is new", [true, false, false], [1], undefined],
  ["something required was just ticked", [true, true, false], [1], undefined],
  ["something required was unticked", [true, false, false], [1, 2], undefined],
  ["all is as before", [true, true, false], [1, 2], true],
  ["all is as before, the optional one too", [true, true, true], [1, 2, 3], true],
  ["the optional one was ticked", [true, true, true], [1, 2], false],
  ["the optional one was unticked", [true, true, false], [1, 2, 3], false],
])("%s", (_, ticks, accepted, waits) => {
  expect(waitsForChange(terms, ticks, accepted && new Set(accepted))).toBe(waits);
});

it("says nothing of a list in which nothing is required and nothing was accepted", () => {
  expect(waitsForChange([term(1, false)], [false], new Set())).toBeUndefined();
});
