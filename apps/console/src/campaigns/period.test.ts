import { expect, it } from "vitest";
import { periodMs, periodOf, periodText } from "./period";

const DAY = 86_400_000;

it.each([
  ["P30D", { amount: "30", unit: "D" }, 30 * DAY],
  ["P2W", { amount: "2", unit: "W" }, 14 * DAY],
  ["PT12H", { amount: "12", unit: "H" }, DAY / 2],
  ["PT5M", { amount: "5", unit: "M" }, 300_000],
  ["P0D", { amount: "0", unit: "D" }, 0],
  ["P1DT12H", { amount: "P1DT12H", unit: "other" }, 1.5 * DAY],
  ["PT90S", { amount: "PT90S", unit: "other" }, 90_000],
] as const)("reads and writes %s", (text, period, ms) => {
  expect(periodOf(text)).toEqual(period);
  expect(periodText(period)).toBe(text);
  expect(periodMs(text)).toBe(ms);
});

it.each(["", "P", "PT", "P1M", "P1Y", "30D", "P-1D", "P1.5D", "PD"])(
  "has no length of %j",
  (text) => expect(periodMs(text)).toBeUndefined(),
);
