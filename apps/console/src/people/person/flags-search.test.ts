import { expect, it } from "vitest";
import { evaluationAttributes, readFlagsSearch } from "./flags-search";

it("reads any address, and drops invalid parameters", () => {
  const search = { env: "production", q: 7, with: { town: "Merrow", old: "", odd: 3 } };
  expect(readFlagsSearch(search)).toEqual({
    env: "production",
    q: "7",
    with: { town: "Merrow" },
  });
  expect(readFlagsSearch({ with: "town", env: [] })).toEqual({});
});

it("parses typed values by their form", () => {
  const attributes = {
    hours: "31",
    mentor: "true",
    zones: '["a"]',
    version: '"3"',
    town: "New Merrow",
  };
  expect(evaluationAttributes("r1", attributes)).toEqual({
    userId: "r1",
    hours: 31,
    mentor: true,
    zones: ["a"],
    version: "3",
    town: "New Merrow",
  });
});
