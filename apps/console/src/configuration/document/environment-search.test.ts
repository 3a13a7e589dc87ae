import { expect, it } from "vitest";
import { chooseEnvironment, readEnvironmentSearch } from "./environment-search";

it("accepts only valid names of environments", () => {
  expect(readEnvironmentSearch({ env: "eu.staging-2", flag: "x" })).toEqual({
    env: "eu.staging-2",
  });
  expect(readEnvironmentSearch({ env: 2026 })).toEqual({ env: "2026" });
  for (const env of ["", "../keys", "-x", {}, "x".repeat(65)]) {
    expect(readEnvironmentSearch({ env })).toEqual({});
  }
});

it.each([
  [["production", "staging"], "staging", undefined, "staging"],
  [["production", "staging"], undefined, "staging", "staging"],
  [["production", "staging"], "production", "staging", "production"],
  [["production", "staging"], "gone", "gone", "production"],
  [["alpha", "beta"], undefined, undefined, "alpha"],
  [[], "staging", undefined, ""],
])(
  "chooses from %j with %s in the address and %s remembered: %s",
  (names, asked, remembered, chosen) => {
    expect(chooseEnvironment(names, asked, remembered)).toBe(chosen);
  },
);
