import { expect, it } from "vitest";
import { readResultsSearch } from "./results-search";

it("reads any address, and drops invalid parameters", () => {
  const search = { phase: 2, metric: "tips", goal: "lower", measure: "proportion" };
  expect(readResultsSearch({ ...search, more: 1 })).toEqual(search);
  expect(readResultsSearch({ phase: "two", metric: "  ", goal: "up", measure: {} })).toEqual({});
  expect(readResultsSearch({ phase: 1.5, metric: 404 })).toEqual({ metric: "404" });
});
