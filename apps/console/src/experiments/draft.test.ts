import { describe, expect, it } from "vitest";
import type { Flag, FlagsDocument } from "../configuration/document/document";
import { emptyMetric } from "../configuration/metrics/metric-draft";
import { NEW_METRIC } from "../configuration/metrics/roles";
import {
  type Draft,
  documentWith,
  draftOf,
  equalWeights,
  errorsOf,
  freeSlot,
  mixesPhase,
  newDraft,
  shareOf,
  weightSum,
  weightsOf,
} from "./draft";
import { experimentOf } from "./of-document";

const flag: Flag = {
  key: "tip",
  type: "string",
  on: true,
  salt: "x",
  tags: [],
  clientVisible: true,
  archived: false,
  variations: ["a", "b", "c"].map((key) => ({ key, value: key })),
  offVariation: "a",
  defaultVariation: "a",
  baselineVariation: "a",
  prerequisites: [],
  overrides: [],
  rules: [{ id: "test", when: { all: [] }, serve: { variation: "c" } }],
};
const document: FlagsDocument = {
  schema: "musette.flags/1",
  environment: "production",
  version: 7,
  attributes: [],
  segments: [],
  layers: [
    {
      key: "screen",
      salt: "y",
      slots: [
        { experiment: "one", from: 0, to: 20_000 },
        { experiment: "two", from: 50_000, to: 100_000 },
      ],
    },
  ],
  holdouts: [],
  metrics: [
    { key: "tips", direction: "increase", kind: "sum" },
    { key: "late", direction: "decrease", kind: "conversion" },
  ],
  flags: [flag],
};
const draft = (part: Partial<Draft> = {}): Draft => ({
  ...newDraft(document, flag),
  goal: "tips",
  ...part,
});

describe("weights", () => {
  it("are equal to three decimals, and add up to 100", () => {
    expect(equalWeights(["a", "b", "c"])).toEqual({ a: 33.334, b: 33.333, c: 33.333 });
    expect(weightSum(equalWeights(["a", "b", "c", "d", "e", "f", "g"]))).toBe(100);
  });

  it("add up exactly where floating point would not", () => {
    expect(weightSum({ a: 33.3, b: 33.3, c: 33.4 })).toBe(100);
  });
});

describe("a new experiment", () => {
  it("becomes a rule of its flag with a new id, after the other rules or before them", () => {
    const last = documentWith(document, draft(), "draft").flags[0]?.rules ?? [];
    expect(last.map(({ id }) => id)).toEqual(["test", "test-2"]);
    const first = documentWith(document, draft({ isFirst: true }), "running").flags[0]?.rules ?? [];
    expect(first.map(({ id }) => id)).toEqual(["test-2", "test"]);
  });

  it("contains the typed values, and no empty fields", () => {
    const after = documentWith(
      document,
      draft({ weights: { a: 50, b: 50, c: 0 }, coverage: 12.5, hypothesis: " better " }),
      "running",
    );
    const experiment = experimentOf(after, "tip")?.experiment;
    expect(experiment).toMatchObject({
      key: "tip",
      unit: "userId",
      coverage: 12_500,
      weights: { a: 50_000, b: 50_000 },
      phase: 1,
      status: "running",
      hypothesis: "better",
    });
    expect(experiment).not.toHaveProperty("primaryMetric");
    expect(experiment).not.toHaveProperty("layer");
  });

  it("gets a slot in a layer, or creates the layer", () => {
    const inOld = documentWith(
      document,
      draft({ layer: "screen", slot: { from: 20, to: 50 } }),
      "draft",
    );
    expect(inOld.layers[0]?.slots.map(({ experiment }) => experiment)).toEqual([
      "one",
      "tip",
      "two",
    ]);
    const inNew = documentWith(document, draft({ layer: "fresh" }), "draft");
    expect(inNew.layers[1]).toMatchObject({
      key: "fresh",
      slots: [{ experiment: "tip", from: 0, to: 100_000 }],
    });
  });
});

it("declares its goal metric with the same change", () => {
  const newMetric = { ...emptyMetric, key: "answered", direction: "decrease" } as const;
  const after = documentWith(document, draft({ goal: NEW_METRIC, newMetric }), "running");
  expect(after.metrics?.at(-1)).toEqual({
    key: "answered",
    direction: "decrease",
    kind: "conversion",
  });
  expect(experimentOf(after, "tip")?.experiment.goal).toBe("answered");
});

describe("an existing experiment", () => {
  const started = documentWith(
    document,
    draft({ layer: "screen", slot: { from: 20, to: 50 }, guardrails: ["late"] }),
    "running",
  );
  const placed = experimentOf(started, "tip");
  if (!placed) throw new Error("it was just put there");
  const before = draftOf(started, placed);

  it("is unchanged after a round trip through the form", () => {
    expect(documentWith(started, before, undefined)).toEqual(started);
  });

  it("keeps metrics that the form does not show", () => {
    const after = documentWith(started, { ...before, hypothesis: "other" }, undefined);
    expect(experimentOf(after, "tip")?.experiment).toMatchObject({
      goal: "tips",
      guardrails: ["late"],
    });
  });

  it("keeps working without a goal in an older document, or gets one", () => {
    const { goal: _goal, layer: _layer, ...older } = placed.experiment;
    const old = (primaryMetric: string): FlagsDocument => ({
      ...document,
      flags: [
        {
          ...flag,
          rules: [{ ...placed.rule, serve: { experiment: { ...older, primaryMetric } } }],
        },
      ],
    });
    const opened = (from: FlagsDocument) => {
      const existing = experimentOf(from, "tip");
      if (!existing) throw new Error("it is there");
      return draftOf(from, existing);
    };
    expect(opened(old("unheard_of")).goal).toBe("");
    expect(errorsOf(old("unheard_of"), opened(old("unheard_of")), false)).toEqual([]);
    const saved = documentWith(old("unheard_of"), opened(old("unheard_of")), undefined);
    expect(experimentOf(saved, "tip")?.experiment.primaryMetric).toBe("unheard_of");
    expect(opened(old("late")).goal).toBe("late");
    const moved = documentWith(old("late"), opened(old("late")), undefined);
    expect(experimentOf(moved, "tip")?.experiment).toMatchObject({ goal: "late" });
    expect(experimentOf(moved, "tip")?.experiment).not.toHaveProperty("primaryMetric");
  });

  it("leaves its layer", () => {
    const after = documentWith(started, { ...before, layer: "" }, undefined);
    expect(after.layers).toEqual(document.layers);
    expect(experimentOf(after, "tip")?.experiment).not.toHaveProperty("layer");
  });

  it("keeps its seed and its status, and starts a new phase on request", () => {
    const after = documentWith(started, { ...before, isNewPhase: true }, undefined);
    expect(experimentOf(after, "tip")?.experiment).toEqual({ ...placed.experiment, phase: 2 });
  });

  it("mixes its phase if weights or the unit change, but not if texts do", () => {
    expect(mixesPhase(before, { ...before, hypothesis: "other", coverage: 10 })).toBe(false);
    expect(mixesPhase(before, { ...before, unit: "email" })).toBe(true);
    expect(mixesPhase(before, { ...before, weights: { a: 50, b: 50 } })).toBe(true);
  });
});

it("returns the baseline's weight first, and the share of all people", () => {
  const uneven = draft({ weights: { b: 20, a: 70, c: 10 }, coverage: 80 });
  expect(weightsOf(uneven, flag)).toEqual([70, 20, 10]);
  expect(weightsOf({ ...uneven, weights: { a: 0, b: 60, c: 40 } }, flag)).toEqual([60, 40]);
  expect(shareOf(uneven)).toBeCloseTo(0.8);
  expect(shareOf({ ...uneven, layer: "screen", slot: { from: 20, to: 50 } })).toBeCloseTo(0.24);
});

it("finds a free slot in a layer", () => {
  expect(freeSlot(document, "screen", "tip")).toEqual({ from: 20, to: 50 });
  expect(freeSlot(document, "screen", "one")).toEqual({ from: 0, to: 50 });
  expect(freeSlot(document, "fresh", "tip")).toEqual({ from: 0, to: 100 });
});

it.each([
  [{}, []],
  [{ flag: "gone" }, ["flag"]],
  [{ key: "" }, ["key"]],
  [{ key: "with space" }, ["keyForm"]],
  [{ key: "Start-Tip" }, ["keyForm"]],
  [{ key: "x".repeat(101) }, ["keyForm"]],
  [{ weights: { a: 100, b: 0 } }, ["arms"]],
  [{ weights: { a: 50, b: 49.999 } }, ["sum"]],
  [{ goal: "" }, ["goal"]],
  [{ goal: NEW_METRIC }, ["metricKey"]],
  [{ goal: NEW_METRIC, newMetric: { ...emptyMetric, key: "tips" } }, ["metricKeyTaken"]],
  [{ goal: NEW_METRIC, newMetric: { ...emptyMetric, key: "answered" } }, []],
  [{ minimumEffect: Number.NaN }, ["effect"]],
  [{ minimumEffect: 0 }, []],
  [{ coverage: 0 }, ["coverage"]],
  [{ coverage: Number.NaN }, ["coverage"]],
  [{ layer: "screen", slot: { from: 60, to: 60 } }, ["slot"]],
  [{ layer: "screen", slot: { from: 10, to: 30 } }, ["slotTaken"]],
  [{ layer: "screen", slot: { from: 20, to: 50 } }, []],
] satisfies [Partial<Draft>, string[]][])("reports for %j the errors %j", (part, errors) => {
  expect(errorsOf(document, draft(part), true)).toEqual(errors);
});
