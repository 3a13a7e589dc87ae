import { expect, it } from "vitest";
import { readKeysSearch } from "./keys-search";

it("reads an address back, whatever somebody typed into it", () => {
  expect(readKeysSearch({ env: "staging", all: true })).toEqual({ env: "staging", all: true });
  expect(readKeysSearch({ env: "../x", all: "yes" })).toEqual({});
});
