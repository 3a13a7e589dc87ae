import { expect, it } from "vitest";
import { changesOf } from "./use-draft";

it("keeps only the changed fields", () => {
  const original = { key: "a", coverage: 10, weights: { a: 50, b: 50 } };
  expect(changesOf(original, { ...original, weights: { a: 60, b: 40 } })).toEqual({
    weights: { a: 60, b: 40 },
  });
  expect(changesOf(original, { ...original, weights: { a: 50, b: 50 } })).toEqual({});
});
