import { expect, it } from "vitest";
import { describeMember, describePosition } from "./describe-change";
import { createDescriber } from "./describer";
import { en } from "./texts/en";

const describer = createDescriber(en, "en");
const town = { attr: "town", op: "eq", value: "Dunmarsh" };
const rollout = { steps: [{ percent: 10 }], variation: "on", unit: "userId" };
const rule = { id: "r-1", when: { all: [town] }, serve: { rollout } };

it("describes rules like the review, not as JSON", () => {
  const description = describeMember("/flags/0/rules", [rule], describer);
  expect(description).toContain("town");
  expect(description).toContain("“Dunmarsh”");
  expect(description).toContain("10%");
  expect(description).not.toContain("{");
  expect(describeMember("/flags/0/rules/3", rule, describer)).toBe(description);
});

it.each([
  ["/flags/0/overrides", [], en.none],
  ["/flags/0/archived", true, en.yes],
  ["/holdouts/0/percent", 12.5, "12.5"],
  ["/flags/0/owner", "night-team", "night-team"],
  ["/flags/0/tags", ["a", "b"], "a, b"],
  ["/flags/0/variations", [{ key: "on", value: true }], `on: ${en.yes}`],
  ["/flags/0/rules/0/serve", { variation: "on" }, "“on”"],
  ["/segments/0/match", town, describer.condition(town as never)],
  ["/flags/0/rules/0/serve/rollout", rollout, describer.serve({ rollout } as never)],
  ["/flags/0/unheard", { nobody: "knows" }, '{"nobody":"knows"}'],
])("describes %s", (pointer, value, words) => {
  expect(describeMember(pointer, value, describer)).toBe(words);
});

// The person who proposes a change chooses these values: they must be shown as they are, and break
// nothing.
it.each([
  ["/flags/0/variations/0/value", { all: 5 }],
  ["/flags/0/variations/0/value", []],
  ["/flags/0/variations/0/value/when", { attr: "x" }],
  ["/flags/0/variations/0/value/rules", [1]],
  ["/flags/0/rules/0/serve/experiment/weights", { any: 50_000, not: 50_000 }],
])("shows a value at %s that looks like another type as JSON", (pointer, value) => {
  expect(describeMember(pointer, value, describer)).toBe(JSON.stringify(value));
});

it.each([
  ["/flags/0/owner", en.fields.owner],
  ["/flags/0/rules/1", en.rule("2", "")],
  ["/flags/0/rules/0/when", en.within(en.rule("1", ""), en.fields.when)],
  ["/flags/0/tags/0", "tag 1"],
  ["/flags/0/unheard/of", "unheard / of"],
])("names the position %s", (pointer, words) => {
  expect(describePosition(pointer, describer)).toBe(words);
});
