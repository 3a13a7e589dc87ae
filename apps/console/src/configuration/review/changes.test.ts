import { expect, it } from "vitest";
import demo from "../../../../../demo/flags.json";
import { type Flag, type FlagsDocument, withFlag, withoutFlag } from "../document/document";
import { changesBetween } from "./changes";
import { createDescriber } from "./describer";
import { de } from "./texts/de";
import { en } from "./texts/en";

const document = demo as unknown as FlagsDocument;
const flag = (key: string) => {
  const existing = document.flags.find((flag) => flag.key === key);
  if (!existing) throw new Error(`demo/flags.json has no flag ${key}`);
  return existing;
};
const describe = (key: string, changed: Partial<Flag>, describer = createDescriber(en, "en")) =>
  changesBetween(document, withFlag(document, { ...flag(key), ...changed }), describer).flatMap(
    ({ differences }) =>
      differences.map(({ place, before, after }) => `${place}: ${before ?? ""} → ${after ?? ""}`),
  );

it("reports nothing for unchanged objects", () => {
  expect(changesBetween(document, structuredClone(document), createDescriber(en, "en"))).toEqual(
    [],
  );
});

it("describes the notice that a flag requires", () => {
  const requires_notice = { term_id: 7, days: 15, share_served: 0.9 };
  const [line] = describe("support-chat", { requires_notice });
  expect(line).toContain("required notice:  → ");
  expect(line).toContain("0.9");
});

it("describes a rollout by its rule and its percentages", () => {
  const rules = flag("support-chat").rules.map((rule) =>
    "rollout" in rule.serve
      ? { ...rule, serve: { rollout: { ...rule.serve.rollout, steps: [{ percent: 62.5 }] } } }
      : rule,
  );
  expect(describe("support-chat", { rules })).toEqual([
    "Rule 2 “Whoever started this autumn is answered at night too”: rollout: 40% → 62.5%",
  ]);
});

it("distinguishes added, removed and moved rules", () => {
  const [mentors, everyone] = flag("quest-cards").rules;
  if (!mentors || !everyone) throw new Error("quest-cards has no rules");
  expect(describe("quest-cards", { rules: [everyone, mentors] })).toEqual([
    "order of the rules: “Mentors of the harbour first”, “Then everyone, in three steps” → “Then everyone, in three steps”, “Mentors of the harbour first”",
  ]);
  const added = { id: "new", when: { all: [] }, serve: { variation: "off" } };
  expect(describe("quest-cards", { rules: [added, mentors] })).toEqual([
    "Rule 1:  → all people → “off”",
    expect.stringMatching(/^Rule 2 “Then everyone, in three steps”: appVersion is at least/),
  ]);
});

it("describes conditions in the reader's language", () => {
  const when = {
    all: [
      { attr: "town", op: "in" as const, values: ["Dunmarsh", "Port Merrow"] },
      { not: { any: [{ segment: "long-weeks" }, { attr: "mentor", op: "exists" as const }] } },
    ],
  };
  const rules = flag("e-bike-checklist").rules.map((rule) => ({ ...rule, when }));
  expect(describe("e-bike-checklist", { rules })).toEqual([
    "Rule 1: condition: vehicle is one of “e-bike” or “e-cargo-bike” and town is none of “Dunmarsh” → town is one of “Dunmarsh” or “Port Merrow” and not (in segment “long-weeks” or mentor is known)",
  ]);
  expect(describe("e-bike-checklist", { rules }, createDescriber(de, "de"))[0]).toContain(
    "nicht (im Segment „long-weeks“ oder mentor ist bekannt)",
  );
});

it("describes sets by added and removed members, and values of variations", () => {
  expect(
    describe("support-chat", {
      tags: ["night"],
      owner: "care",
      variations: flag("support-chat").variations.filter(({ key }) => key !== "night"),
    }),
  ).toEqual([
    "owner: rider-care → care",
    "tag: support → ",
    "tag:  → night",
    'Variation “night”: {"open":true,"from":8,"to":26} → ',
  ]);
});

it("describes flags that were added or removed", () => {
  const without = withoutFlag(document, "cash-orders");
  const describer = createDescriber(en, "en");
  expect(changesBetween(document, without, describer)).toMatchObject([
    { section: "flags", key: "cash-orders", how: "removed", differences: [] },
  ]);
  expect(changesBetween(without, document, describer)).toMatchObject([{ how: "added" }]);
});

it("describes what a new flag serves, and to whom", () => {
  const without = withoutFlag(document, "quest-cards");
  const [change] = changesBetween(without, document, createDescriber(en, "en"));
  const places = change?.differences.map(({ place }) => place) ?? [];
  expect(places).toContainEqual("Rule 1 “Mentors of the harbour first”");
  expect(places).toContainEqual("Rule 2 “Then everyone, in three steps”");
  expect(places.filter((place) => place.startsWith("Variation")).length).toBeGreaterThan(1);
  expect(change?.differences.every(({ before }) => before === undefined)).toBe(true);
  expect(places).not.toContain(en.fields.salt);
});

it("describes which direction of a metric is better", () => {
  const metrics = (document.metrics ?? []).map((metric) =>
    metric.key === "late_start_rate" ? { ...metric, direction: "increase" as const } : metric,
  );
  const [change] = changesBetween(document, { ...document, metrics }, createDescriber(en, "en"));
  expect(change).toMatchObject({ section: "metrics", key: "late_start_rate", how: "changed" });
  expect(change?.differences).toEqual([
    { place: "better when it", before: "goes down", after: "goes up" },
  ]);
});
