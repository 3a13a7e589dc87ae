import { expect, it } from "vitest";
import { areGrants, chosenOf, grantsFrom } from "./grants-field";

it("reads grants and writes the same ones", () => {
  const grants = ["viewer", "legal@DE-BE.berlin", "product@staging"];
  expect(grantsFrom(chosenOf(grants))).toEqual(grants);
  expect(grantsFrom({ legal: " " })).toEqual(["legal"]);
});

it("takes several scopes of a role, and everywhere over any of them", () => {
  expect(chosenOf(["legal@DE", "legal@UY"])).toEqual({ legal: "DE, UY" });
  expect(grantsFrom({ legal: "DE,  UY" })).toEqual(["legal@DE", "legal@UY"]);
  expect(chosenOf(["legal@DE", "legal"])).toEqual({ legal: "" });
});

it("wants a market where a role is narrowed to one", () => {
  expect(areGrants(["legal@DE", "product@staging", "viewer"])).toBe(true);
  expect(areGrants(["legal@staging"])).toBe(false);
});
