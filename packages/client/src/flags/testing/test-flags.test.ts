import { expect, it } from "vitest";
import { createTestFlags } from "./index";

it("returns the values that the test set, and the fallback for other flags", async () => {
  const flags = createTestFlags({ on: true, shape: { a: 1 } });
  expect((await flags.getFlag("on", false)).variation).toBe(true);
  expect((await flags.getFlag("shape", {})).variation).toEqual({ a: 1 });
  expect(await flags.getFlag("unknown", 7)).toMatchObject({
    variation: 7,
    explanation: { kind: "ERROR", from: "error:FLAG_NOT_FOUND" },
  });
  const many = await flags.getFlags(["on", "unknown"], { unknown: "x" });
  expect([many.on?.variation, many.unknown?.variation]).toEqual([true, "x"]);
  expect(Object.keys(await flags.getAllFlags())).toEqual(["on", "shape"]);
  expect(await flags.getFlagKeys()).toEqual(["on", "shape"]);
  expect(flags.peek("on")).toBe(flags.peek("on"));
});

it("notifies the subscribers of a changed flag", () => {
  const flags = createTestFlags({ on: true, other: 1 });
  const notified: string[] = [];
  const stop = flags.subscribe(["on"], () => notified.push("on"));
  flags.subscribe([], () => notified.push("any"));
  flags.set("on", false);
  flags.set("other", 2);
  stop();
  flags.set("on", true);
  expect(notified).toEqual(["on", "any", "any", "any"]);
  expect(flags.peek("on")?.result.variation).toBe(true);
});

it("lists the flags whose participation was reported", async () => {
  const experiment = { key: "t", variation: "map", phase: 1, bucketVersion: 1, sticky: false };
  const holdout = { key: "h", group: "HELD_OUT", applied: true } as const;
  const flags = createTestFlags({
    test: { variation: "map", experiment },
    held: { variation: 1, holdoutsEvaluations: [holdout] },
    plain: true,
  });
  flags.peek("test");
  await flags.getFlag("plain", false);
  expect(flags.exposures).toEqual([]);
  await flags.getFlags(["test", "held", "test"]);
  expect(flags.exposures).toEqual(["test", "held"]);
  expect(flags.snapshot()).toMatchObject({
    experiments: [{ key: "t", flag: "test" }],
    holdouts: [holdout],
  });
});

it("lists the reported metric values", () => {
  const flags = createTestFlags();
  flags.reportMetric("tip_opened");
  flags.reportMetric("minutes_late", 4);
  expect(flags.metrics).toEqual([
    { metric: "tip_opened", value: 1 },
    { metric: "minutes_late", value: 4 },
  ]);
});

it("simulates an unreachable service and a cleared user", async () => {
  const flags = createTestFlags({ on: true });
  flags.fail();
  expect(await flags.getFlag("on", false)).toMatchObject({
    variation: false,
    explanation: { kind: "FALLBACK", from: "client:network" },
  });
  await flags.clearUser();
  await expect(flags.getFlag("on", false)).rejects.toThrow("until you set a user context");
});

it("gives overrides priority over the values of the test", async () => {
  const flags = createTestFlags({ on: true });
  flags.overrides.set("on", false);
  expect((await flags.getFlag("on", true)).variation).toBe(false);
  expect(flags.overrides.list()).toEqual({ on: false });
  flags.overrides.clear();
  expect((await flags.getFlag("on", false)).variation).toBe(true);
});
