import { describe, expect, it } from "vitest";
import { nextSort, sortBy, sorted } from "./sort";

describe("a sort in the address", () => {
  it("is one of the columns, in either direction", () => {
    expect(sortBy(["key", "people"])("-people")).toBe("-people");
    expect(sortBy(["key", "people"])("key")).toBe("key");
    expect(sortBy(["key"])("--key")).toBeUndefined();
    expect(sortBy(["key"])("owner")).toBeUndefined();
    expect(sortBy(["key"])({})).toBeUndefined();
  });

  it("cycles through ascending, descending and unsorted", () => {
    expect(nextSort(undefined, "key")).toBe("key");
    expect(nextSort("key", "key")).toBe("-key");
    expect(nextSort("-key", "key")).toBeUndefined();
    expect(nextSort("-people", "key")).toBe("key");
  });
});

describe("sorted", () => {
  const rows = [
    { key: "b2", people: 7 },
    { key: "b10", people: undefined },
    { key: "a", people: 300 },
  ];
  const by = {
    key: (row: (typeof rows)[number]) => row.key,
    people: (row: (typeof rows)[number]) => row.people,
  };
  const keys = (sort: string | undefined) => sorted(rows, sort, by, "en").map(({ key }) => key);

  it("keeps the given order without a sort", () => {
    expect(keys(undefined)).toEqual(["b2", "b10", "a"]);
    expect(keys("unknown")).toEqual(["b2", "b10", "a"]);
  });

  it("compares numbers within names", () => {
    expect(keys("key")).toEqual(["a", "b2", "b10"]);
    expect(keys("-key")).toEqual(["b10", "b2", "a"]);
  });

  it("puts rows without a value last in both directions", () => {
    expect(keys("people")).toEqual(["b2", "a", "b10"]);
    expect(keys("-people")).toEqual(["a", "b2", "b10"]);
  });
});
