import { expect, it } from "vitest";
import { contains } from "./contains";

it.each([
  ["Audit", "aud", true],
  ["Café Zürich", "cafe zu", true],
  ["Übersicht", "uber", true],
  ["اَلْإِعْدَادَات", "الاعدادات", true],
  ["Anything", "", true],
  ["Audit", "adt", false],
])("%j contains %j: %j", (text, part, expected) => {
  expect(contains(text, part)).toBe(expected);
});
