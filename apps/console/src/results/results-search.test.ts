import { expect, it } from "vitest";
import { readResultsSearch, resultsParameters } from "./results-search";

it("reads an address back, whatever somebody typed into it", () => {
  const wanted = { phase: 2, metric: "tips", goal: "lower", measure: "proportion" };
  expect(readResultsSearch({ ...wanted, more: 1 })).toEqual(wanted);
  expect(readResultsSearch({ phase: "two", metric: "  ", goal: "up", measure: {} })).toEqual({});
  expect(readResultsSearch({ phase: 1.5, metric: 404 })).toEqual({ metric: "404" });
});

it("asks the server for nothing that was not chosen", () => {
  expect(String(resultsParameters({}, "eu"))).toBe("environment=eu");
  expect(String(resultsParameters({ phase: 0, metric: "a&b" }, "eu"))).toBe(
    "environment=eu&phase=0&metric=a%26b",
  );
});
