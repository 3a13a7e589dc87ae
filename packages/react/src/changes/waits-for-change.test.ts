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
  ["the accepted terms are unknown", [true, true, false], undefined, undefined],
  ["nothing was accepted", [false, false, false], [], undefined],
  ["a required term is new", [true, false, false], [1], undefined],
  ["a new required term is ticked", [true, true, false], [1], undefined],
  ["an accepted required term is unticked", [true, false, false], [1, 2], undefined],
  ["no tick has changed", [true, true, false], [1, 2], true],
  ["no tick has changed, with an accepted optional term", [true, true, true], [1, 2, 3], true],
  ["the optional term was ticked", [true, true, true], [1, 2], false],
  ["the optional term was unticked", [true, true, false], [1, 2, 3], false],
])("%s", (_, ticks, accepted, waits) => {
  expect(waitsForChange(terms, ticks, accepted && new Set(accepted))).toBe(waits);
});

it("returns undefined if no term is required and none was accepted", () => {
  expect(waitsForChange([term(1, false)], [false], new Set())).toBeUndefined();
});
