import { expect, it } from "vitest";
import { readHoldoutsSearch } from "./holdouts-search";

it("reads an address back, whatever somebody typed into it", () => {
  expect(readHoldoutsSearch({ phase: "analysis", sort: "-percent", q: 1 })).toEqual({
    phase: "analysis",
    sort: "-percent",
  });
  expect(readHoldoutsSearch({ phase: "over", sort: "people" })).toEqual({});
});
