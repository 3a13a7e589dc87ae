import { expect, it } from "vitest";
import type { Me } from "../session/me";
import { paragraphs, systemsHref } from "./systems";

const me = (automated_systems: Me["automated_systems"]) => ({ automated_systems }) as Me;

it("links to the register only if it has something for the person", () => {
  expect(systemsHref(undefined)).toBeUndefined();
  expect(systemsHref(me(null))).toBeUndefined();
  expect(systemsHref(me({ market: "DE", in_effect: 0 }))).toBeUndefined();
  expect(systemsHref(me({ market: null, in_effect: 1 }))).toBe("/automated-systems");
  expect(systemsHref(me({ market: "DE-BE", in_effect: 2 }))).toBe(
    "/automated-systems?market=DE-BE",
  );
});

it("divides a text at its empty lines", () => {
  expect(paragraphs("One.\nStill one.\n\n \n Two.\n")).toEqual(["One.\nStill one.", "Two."]);
  expect(paragraphs("")).toEqual([]);
});
