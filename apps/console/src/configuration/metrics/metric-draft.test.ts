import { expect, it } from "vitest";
import type { Metric } from "../document/document";
import { emptyMetric, metricDraftOf, metricErrors, metricFrom } from "./metric-draft";

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
    expect(metricErrors(document, metricDraftOf(metric), false)).toEqual([]);
  }
});

it("reports the errors that the server would return", () => {
  const errors = (part: Partial<typeof emptyMetric>) =>
    metricErrors(document, { ...emptyMetric, key: "late", ...part }, true);
  expect(errors({})).toEqual([]);
  expect(errors({ key: " " })).toEqual(["metricKey"]);
  expect(errors({ key: "late starts" })).toEqual(["metricKeyForm"]);
  expect(errors({ key: "wait" })).toEqual(["metricKeyTaken"]);
  expect(errors({ kind: "ratio" })).toEqual(["denominator"]);
  expect(errors({ kind: "ratio", denominator: "orders" })).toEqual([]);
  expect(errors({ min: "1", max: "0" })).toEqual(["range"]);
  expect(errors({ cap: "0" })).toEqual(["cap"]);
  expect(errors({ max: "many" })).toEqual(["number"]);
});

it("leaves out fields that the kind does not have", () => {
  const metric = metricFrom({ ...emptyMetric, key: "late", denominator: "orders" });
  expect(metric).toEqual({ key: "late", direction: "increase", kind: "conversion" });
});
