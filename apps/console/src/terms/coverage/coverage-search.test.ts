import { expect, it } from "vitest";
import { readCoverageSearch } from "./coverage-search";

it("reads any address, and drops invalid parameters", () => {
  expect(readCoverageSearch({ days: 90, q: 4711 })).toEqual({ days: 90, q: "4711" });
  expect(readCoverageSearch({ days: "366" })).toEqual({ days: 366 });
  expect(readCoverageSearch({ days: 30, q: "  " })).toEqual({});
  expect(readCoverageSearch({ days: 31, q: {} })).toEqual({});
});
