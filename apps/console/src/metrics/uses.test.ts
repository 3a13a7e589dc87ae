import { expect, it } from "vitest";
import demo from "../../../../demo/flags.json";
import type { FlagsDocument } from "../configuration/document/document";
import { ratiosOf, usesOfMetric } from "./uses";

const document = demo as unknown as FlagsDocument;

it("finds the objects that use a metric, and its role", () => {
  const uses = usesOfMetric(document, "late_start_rate");
  expect(uses).toContainEqual({ kind: "experiment", key: "check-in-screen", role: "goal" });
  expect(uses).toContainEqual({ kind: "holdout", key: "2026-q4", role: "goal" });
  expect(usesOfMetric(document, "break_taken")).toContainEqual({
    kind: "experiment",
    key: "check-in-screen",
    role: "guardrail",
  });
  expect(usesOfMetric(document, "nobody_reports_this")).toEqual([]);
});

it("finds the ratios that divide by a metric", () => {
  const ratio = {
    key: "pay",
    direction: "increase",
    kind: "ratio",
    denominator: "orders",
  } as const;
  expect(ratiosOf({ ...document, metrics: [ratio] }, "orders")).toEqual(["pay"]);
  expect(ratiosOf(document, "orders")).toEqual([]);
});
