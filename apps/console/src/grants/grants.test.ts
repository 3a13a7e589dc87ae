import { expect, it } from "vitest";
import { areGrants, chosenOf, grantsFrom } from "./grants-field";

it("reads grants and writes the same ones", () => {
  const grants = ["viewer", "legal@DE-BE.berlin", "product@staging"];
  expect(grantsFrom(chosenOf(grants))).toEqual(grants);
  expect(grantsFrom({ legal: " " })).toEqual(["legal"]);
});

it("accepts several scopes per role, where an empty scope includes all", () => {
  expect(chosenOf(["legal@DE", "legal@UY"])).toEqual({ legal: "DE, UY" });
  expect(grantsFrom({ legal: "DE,  UY" })).toEqual(["legal@DE", "legal@UY"]);
  expect(chosenOf(["legal@DE", "legal"])).toEqual({ legal: "" });
});

it("requires a market where a role is limited to one", () => {
  expect(areGrants(["legal@DE", "product@staging", "viewer"])).toBe(true);
  expect(areGrants(["legal@staging"])).toBe(false);
});
