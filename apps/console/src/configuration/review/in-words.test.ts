import { expect, it } from "vitest";
import { inWords, placeInWords } from "./in-words";
import { makeTeller } from "./teller";
import { en } from "./texts/en";

const teller = makeTeller(en, "en");
const town = { attr: "town", op: "eq", value: "Dunmarsh" };
const rollout = { steps: [{ percent: 10 }], variation: "on", unit: "userId" };

it("tells a rule as the review does, not as JSON", () => {
  const rule = { id: "r-1", when: { all: [town] }, serve: { rollout } };
  const told = inWords([rule], teller);
  expect(told).toContain("town");
  expect(told).toContain("“Dunmarsh”");
  expect(told).toContain("10%");
  expect(told).not.toContain("{");
});

it.each([
  [[], en.none],
  [true, en.yes],
  [12.5, "12.5"],
  ["night-team", "night-team"],
  [{ key: "on", value: true }, `on: ${en.yes}`],
  [{ variation: "on" }, "“on”"],
  [town, teller.condition(town as never)],
  [{ rollout }, teller.serve({ rollout } as never)],
  [{ nobody: "knows this" }, '{"nobody":"knows this"}'],
])("tells %j", (value, words) => {
  expect(inWords(value, teller)).toBe(words);
});

it.each([
  ["/flags/0/owner", en.fields.owner],
  ["/flags/0/rules/1", en.rule("2", "")],
  ["/flags/0/rules/0/when", en.within(en.rule("1", ""), en.fields.when)],
  ["/flags/0/unheard/of", "unheard / of"],
])("names %s", (pointer, words) => {
  expect(placeInWords(pointer, teller)).toBe(words);
});
