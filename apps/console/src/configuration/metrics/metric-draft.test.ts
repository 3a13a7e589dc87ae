import { expect, it } from "vitest";
import type { Metric } from "../document/document";
import { emptyMetric, metricDraftOf, metricFaults, metricFrom } from "./metric-draft";

const wait: Metric = {
  key: "wait",
  name: "Waiting time",
  direction: "decrease",
  kind: "mean",
  unit: "min",
  min: 0,
  max: 600,
};
const orders: Metric = { key: "orders", direction: "increase", kind: "sum", cap: 90.5 };
const document = { metrics: [wait, orders] };

it("changes nothing in a metric that is only opened", () => {
  for (const metric of document.metrics) {
    expect(metricFrom(metricDraftOf(metric))).toEqual(metric);
    expect(metricFaults(document, metricDraftOf(metric), false)).toEqual([]);
  }
});

it("reports the errors that the server would return", () => {
  const faults = (part: Partial<typeof emptyMetric>) =>
    metricFaults(document, { ...emptyMetric, key: "late", ...part }, true);
  expect(faults({})).toEqual([]);
  expect(faults({ key: " " })).toEqual(["metricKey"]);
  expect(faults({ key: "late starts" })).toEqual(["metricKeyForm"]);
  expect(faults({ key: "wait" })).toEqual(["metricKeyTaken"]);
  expect(faults({ kind: "ratio" })).toEqual(["denominator"]);
  expect(faults({ kind: "ratio", denominator: "orders" })).toEqual([]);
  expect(faults({ min: "1", max: "0" })).toEqual(["range"]);
  expect(faults({ cap: "0" })).toEqual(["cap"]);
  expect(faults({ max: "many" })).toEqual(["number"]);
});

it("leaves out fields that the kind does not have", () => {
  const metric = metricFrom({ ...emptyMetric, key: "late", denominator: "orders" });
  expect(metric).toEqual({ key: "late", direction: "increase", kind: "conversion" });
});
