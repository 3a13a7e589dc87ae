import { expect, it } from "vitest";
import demo from "../../../../../demo/flags.json";
import { withDefaults } from "./defaults";
import type { FlagsDocument } from "./document";

it("changes nothing in a complete document", () => {
  const whole = demo as unknown as FlagsDocument;
  expect(withDefaults(whole).flags).toEqual(whole.flags);
  expect(withDefaults(whole).metrics).toEqual(whole.metrics);
  expect(withDefaults(whole).clientMetrics).toBe(true);
  expect(withDefaults(withDefaults(whole))).toEqual(withDefaults(whole));
});

it("keeps metrics, and adds their defaults", () => {
  const short = {
    schema: "musette.flags/1",
    environment: "x",
    metrics: [{ key: "orders" }, { key: "late", direction: "decrease", kind: "conversion" }],
    clientMetrics: true,
    flags: [],
  } as unknown as FlagsDocument;
  expect(withDefaults(short)).toMatchObject({
    metrics: [
      { key: "orders", direction: "increase", kind: "sum" },
      { key: "late", direction: "decrease", kind: "conversion" },
    ],
    clientMetrics: true,
  });
  expect("metrics" in withDefaults({ ...short, metrics: [] })).toBe(false);
});

it("adds the same defaults as the server", () => {
  const short = {
    schema: "musette.flags/1",
    environment: "x",
    flags: [
      {
        key: "f",
        type: "boolean",
        variations: [{ key: "on", value: true }],
        defaultVariation: "on",
        requires_notice: { term_id: 7 },
        overrides: [{ id: "u", variation: "on" }],
        rules: [{ id: "r", serve: { rollout: { steps: [{ percent: 1 }], variation: "on" } } }],
      },
    ],
  } as unknown as FlagsDocument;
  const [flag] = withDefaults(short).flags;
  expect(flag).toMatchObject({
    salt: "f",
    on: true,
    offVariation: null,
    baselineVariation: "on",
    requires_notice: { term_id: 7, days: 15, share_served: 0.9 },
    overrides: [{ unit: "key" }],
    rules: [{ when: { all: [] }, serve: { rollout: { unit: "key" } } }],
  });
});
