import { expect, it } from "vitest";
import { readKeysSearch } from "./keys-search";

it("reads any address, and drops invalid parameters", () => {
  expect(readKeysSearch({ env: "staging", all: true })).toEqual({ env: "staging", all: true });
  expect(readKeysSearch({ env: "../x", all: "yes" })).toEqual({});
});
