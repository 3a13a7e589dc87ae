import { expect, it } from "vitest";
import demo from "../../../../demo/flags.json";
import { withDefaults } from "../configuration/document/defaults";
import { type Flag, type FlagsDocument, withFlag } from "../configuration/document/document";
import {
  deleteFlag,
  holdoutsOf,
  moved,
  newRule,
  prerequisiteCycle,
  referencesTo,
  renameVariation,
} from "./edit-flag";
import { partAffecting } from "./part-for";

const document = withDefaults(demo as unknown as FlagsDocument);
function flag(key: string, changed: Partial<Flag> = {}): Flag {
  const existing = document.flags.find((flag) => flag.key === key);
  if (!existing) throw new Error(`demo/flags.json has no flag ${key}`);
  return { ...existing, ...changed };
}

it("renames a variation wherever the flag refers to it", () => {
  const renamed = renameVariation(flag("check-in-screen"), 1, "plan");
  expect(JSON.stringify({ ...renamed, variations: [] })).not.toContain('"map"');
  expect(renamed.overrides[0]?.variation).toBe("plan");
  expect(JSON.stringify(renamed.rules)).toContain('"plan":33333');
  expect(renamed.defaultVariation).toBe("list");
  expect(renameVariation(flag("check-in-screen"), 0, "rows").offVariation).toBe("rows");
});

it("leaves references alone while two variations have the same key", () => {
  const both = renameVariation(flag("cash-orders"), 1, "on");
  expect(both.variations.map(({ key }) => key)).toEqual(["on", "on"]);
  expect(renameVariation(both, 0, "yes").offVariation).toBe("on");
});

it("moves one item, but not beyond the ends", () => {
  expect(moved(["a", "b", "c"], 0, 2)).toEqual(["b", "c", "a"]);
  expect(moved(["a", "b", "c"], 2, 0)).toEqual(["c", "a", "b"]);
  expect(moved(["a"], 0, -1)).toEqual(["a"]);
  expect(moved(["a"], 0, 1)).toEqual(["a"]);
});

it("creates a rule with another variation than the default", () => {
  expect(newRule(flag("receipt-export")).serve).toEqual({ variation: "off" });
});

it("returns the flags in a cycle of prerequisites", () => {
  expect(prerequisiteCycle(document, flag("quest-cards"))).toBeUndefined();
  const needs = (key: string) => [{ flag: key, in: ["on"] }];
  const service = flag("quests-service", { prerequisites: needs("cash-orders") });
  const chain = withFlag(document, service);
  expect(
    prerequisiteCycle(chain, flag("cash-orders", { prerequisites: needs("quest-cards") })),
  ).toEqual(["cash-orders", "quest-cards", "quests-service", "cash-orders"]);
  expect(
    prerequisiteCycle(document, flag("cash-orders", { prerequisites: needs("cash-orders") })),
  ).toEqual(["cash-orders", "cash-orders"]);
});

it("finds references to a flag, and removes them with it", () => {
  expect(referencesTo(document, flag("quests-service")).flags).toEqual(["quest-cards"]);
  expect(referencesTo(document, flag("start-tip"))).toEqual({
    flags: [],
    holdouts: ["2026-q4"],
    layers: [],
  });
  expect(referencesTo(document, flag("check-in-screen")).layers).toEqual(["slot-screen"]);
  expect(JSON.stringify(deleteFlag(document, flag("check-in-screen")))).not.toContain(
    "check-in-screen",
  );
  expect(deleteFlag(document, flag("start-tip")).holdouts[0]?.applies.exceptFlags).not.toContain(
    "start-tip",
  );
});

it("finds the holdouts that apply to a flag", () => {
  expect(holdoutsOf(document, flag("quest-cards"))).toHaveLength(1);
  expect(holdoutsOf(document, flag("start-tip"))).toHaveLength(0);
  const experiments = document.holdouts.map((holdout) => ({
    ...holdout,
    scope: "experiments" as const,
  }));
  const narrow = { ...document, holdouts: experiments };
  expect(holdoutsOf(narrow, flag("quest-cards"))).toHaveLength(0);
  expect(holdoutsOf(narrow, flag("check-in-screen"))).toHaveLength(1);
});

it("sends only the part of the document that affects the flag", () => {
  const part = partAffecting(document, "quest-cards");
  expect(part.flags.map(({ key }) => key)).toEqual(["quest-cards", "quests-service"]);
  expect(part.segments).toBe(document.segments);
  expect(part.holdouts[0]?.applies.exceptFlags).toEqual([]);
  expect(part.layers[0]?.slots).toEqual([]);
  expect(partAffecting(document, "check-in-screen").layers[0]?.slots).toEqual([
    { experiment: "check-in-screen", from: 0, to: 50000 },
  ]);
});
