import { expect, it } from "vitest";
import { readPeopleSearch } from "./people-search";

it("reads any address, and drops invalid parameters", () => {
  expect(readPeopleSearch({ q: " ottilie ", role: "rider" })).toEqual({
    q: "ottilie",
    role: "rider",
  });
  expect(readPeopleSearch({ q: 4711, role: "emperor" })).toEqual({ q: "4711" });
  expect(readPeopleSearch({ q: {}, role: [] })).toEqual({});
});
