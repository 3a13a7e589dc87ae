import { expect, it } from "vitest";
import { peopleParameters, readPeopleSearch } from "./people-search";

it("reads an address back, whatever somebody typed into it", () => {
  expect(readPeopleSearch({ q: " ottilie ", role: "rider" })).toEqual({
    q: "ottilie",
    role: "rider",
  });
  expect(readPeopleSearch({ q: 4711, role: "emperor" })).toEqual({ q: "4711" });
  expect(readPeopleSearch({ q: {}, role: [] })).toEqual({});
});

it("asks for what stands there and nothing else", () => {
  expect(peopleParameters({ q: "+44 7700", role: "admin" }).toString()).toBe(
    "q=%2B44+7700&role=admin",
  );
  expect(peopleParameters({}).toString()).toBe("");
});
