import { expect, it } from "vitest";
import { readExperimentsSearch } from "./experiments-search";

it("reads any address, and drops invalid parameters", () => {
  const search = { status: "stopped", q: "map", sort: "-flag" };
  expect(readExperimentsSearch({ ...search, page: 3 })).toEqual(search);
  expect(readExperimentsSearch({ status: "over", q: " ", sort: "people" })).toEqual({});
  expect(readExperimentsSearch({ q: 2026 })).toEqual({ q: "2026" });
});
