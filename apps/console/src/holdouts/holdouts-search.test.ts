import { expect, it } from "vitest";
import { readHoldoutsSearch } from "./holdouts-search";

it("reads any address, and drops invalid parameters", () => {
  expect(readHoldoutsSearch({ phase: "analysis", sort: "-percent", q: 1 })).toEqual({
    phase: "analysis",
    sort: "-percent",
  });
  expect(readHoldoutsSearch({ phase: "over", sort: "people" })).toEqual({});
});
