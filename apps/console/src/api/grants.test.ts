import { expect, it } from "vitest";
import { EVERYWHERE, entersConsole, isInside, mayDo, onlyWithin, readsAudit } from "./grants";

it("finds what lies inside a market by parts", () => {
  expect(isInside("DE-BE.berlin", "DE")).toBe(true);
  expect(isInside("DE-BE.berlin", "DE-BE")).toBe(true);
  expect(isInside("DE.berlin", "DE")).toBe(true);
  expect(isInside("DE-BE.berlin", "DE-BE.ber")).toBe(false);
  expect(isInside("DE", "DE-BE")).toBe(false);
  expect(isInside("DEN", "DE")).toBe(false);
});

it("lets an operator do what support, legal and product may", () => {
  const may = (task: Parameters<typeof mayDo>[1]) => mayDo(["rider", "operator"], task);
  expect([may("people"), may("terms"), may("flags"), may("company")]).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(mayDo(["viewer"], "personal")).toBe(false);
});

it("keeps a narrowed grant inside its scope", () => {
  const roles = ["legal@DE", "product@staging"];
  expect(mayDo(roles, "terms", "DE-BE")).toBe(true);
  expect(mayDo(roles, "terms", "UY")).toBe(false);
  expect(mayDo(roles, "terms")).toBe(true);
  expect(mayDo(roles, "flags", "production")).toBe(false);
  expect(mayDo(roles, "flags", "staging")).toBe(true);
});

it("lets in whoever has a role for the console, narrowed or not", () => {
  expect(entersConsole(["rider"])).toBe(false);
  expect(entersConsole(["rider", "viewer@DE"])).toBe(true);
});

it("says where alone something may be done", () => {
  expect(onlyWithin(["legal@DE", "legal@UY", "viewer"], "terms")).toEqual(["DE", "UY"]);
  expect(onlyWithin(["legal@DE", "admin"], "terms")).toEqual([]);
  expect(onlyWithin(["viewer@DE"], "terms")).toEqual([]);
  expect(mayDo(["legal@DE"], "terms", EVERYWHERE)).toBe(false);
  expect(mayDo(["legal"], "terms", EVERYWHERE)).toBe(true);
});

it("keeps the audit from those who have roles for some markets only", () => {
  expect(readsAudit(["legal@DE", "rider"])).toBe(false);
  expect(readsAudit(["legal@DE", "viewer"])).toBe(true);
  expect(readsAudit(["product@staging"])).toBe(false);
});
