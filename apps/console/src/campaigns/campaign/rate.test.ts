import { expect, it } from "vitest";
import { rateOf, type Sample, secondsLeft, withSample } from "./rate";

const samples = (...rows: readonly (readonly [second: number, settled: number])[]) =>
  rows.reduce<readonly Sample[]>(
    (all, [second, settled]) => withSample(all, { at: second * 1000, settled }),
    [],
  );

it("measures the rate of the last minute", () => {
  expect(rateOf(samples([0, 0], [3, 60]))).toBe(20);
  // The first samples are older than a minute: only the slow time counts.
  expect(rateOf(samples([0, 0], [10, 1000], [100, 1090], [160, 1150]))).toBe(1);
});

it("has no rate before the second sample", () => {
  expect(rateOf([])).toBeUndefined();
  expect(rateOf(samples([5, 40]))).toBeUndefined();
  expect(rateOf(samples([5, 40], [5, 41]))).toBeUndefined();
});

it("estimates the time left only while messages are sent", () => {
  expect(secondsLeft(100, 20)).toBe(5);
  expect(secondsLeft(101, 20)).toBe(6);
  expect(secondsLeft(100, 0)).toBeUndefined();
  expect(secondsLeft(100, undefined)).toBeUndefined();
  expect(secondsLeft(0, 20)).toBeUndefined();
});

it("does not count a retried message as negative", () => {
  expect(rateOf(samples([0, 10], [1, 9]))).toBe(0);
});
