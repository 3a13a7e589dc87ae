import { expect, it } from "vitest";
import type { Experiment, Flag, FlagsDocument } from "../configuration/document/document";
import { applyAction, documentAfter } from "./lifecycle";
import { armsOf, experimentOf } from "./of-document";

const experiment: Experiment = {
  key: "tip-test",
  unit: "userId",
  seed: "s1",
  coverage: 100_000,
  weights: { a: 50_000, b: 50_000, c: 0 },
  sticky: true,
  bucketVersion: 3,
  minBucketVersion: 0,
  phase: 1,
  status: "running",
};
const flag: Flag = {
  key: "tip",
  type: "string",
  on: true,
  salt: "x",
  tags: [],
  clientVisible: true,
  archived: false,
  variations: ["b", "c", "a"].map((key) => ({ key, value: key })),
  offVariation: "a",
  defaultVariation: "a",
  baselineVariation: "a",
  prerequisites: [],
  overrides: [],
  rules: [
    { id: "first", when: { all: [] }, serve: { variation: "c" } },
    { id: "test", when: { all: [] }, serve: { experiment } },
  ],
};
const document: FlagsDocument = {
  schema: "musette.flags/1",
  environment: "production",
  version: 7,
  attributes: [],
  segments: [],
  layers: [],
  holdouts: [],
  flags: [{ ...flag, key: "other", rules: [] }, flag],
};

it("stops, starts again, and ships", () => {
  const stopped = applyAction(experiment, { kind: "stop" });
  expect(stopped.status).toBe("stopped");
  expect(applyAction(stopped, { kind: "start" }).status).toBe("running");
  expect(applyAction(stopped, { kind: "ship", winner: "b" })).toEqual({
    ...experiment,
    status: "shipped",
    winner: "b",
  });
});

it("removes the winner when it runs again", () => {
  const shipped = applyAction(experiment, { kind: "ship", winner: "b" });
  expect(applyAction(shipped, { kind: "start" })).toEqual(experiment);
});

it("starts a phase with the same assignments or with new ones", () => {
  const next = applyAction(experiment, { kind: "phase", isRedrawn: false });
  expect(next).toEqual({ ...experiment, phase: 2 });
  const redrawn = applyAction(experiment, { kind: "phase", isRedrawn: true });
  expect(redrawn).toMatchObject({ phase: 2, bucketVersion: 4 });
  expect(redrawn.seed).not.toBe("s1");
});

it("changes only its own rule", () => {
  const after = documentAfter(document, "tip-test", { kind: "stop" });
  expect(after.flags[0]).toBe(document.flags[0]);
  expect(after.flags[1]?.rules[0]).toBe(flag.rules[0]);
  expect(experimentOf(after, "tip-test")?.experiment.status).toBe("stopped");
  expect(documentAfter(document, "gone", { kind: "stop" })).toBe(document);
});

it("lists the arms in the flag's order, without those of no weight", () => {
  expect(armsOf({ flag, experiment }).map(({ key }) => key)).toEqual(["b", "a"]);
});
