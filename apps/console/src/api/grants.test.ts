import { expect, it } from "vitest";
import { EVERYWHERE, entersConsole, isInside, mayDo, onlyWithin, readsAudit } from "./grants";

it("compares markets by the parts of their codes", () => {
  expect(isInside("DE-BE.berlin", "DE")).toBe(true);
  expect(isInside("DE-BE.berlin", "DE-BE")).toBe(true);
  expect(isInside("DE.berlin", "DE")).toBe(true);
  expect(isInside("DE-BE.berlin", "DE-BE.ber")).toBe(false);
  expect(isInside("DE", "DE-BE")).toBe(false);
  expect(isInside("DEN", "DE")).toBe(false);
});

it("lets an operator do what support, legal and product may do", () => {
  const may = (task: Parameters<typeof mayDo>[1]) => mayDo(["rider", "operator"], task);
  expect([may("people"), may("terms"), may("flags"), may("company")]).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(mayDo(["viewer"], "personal")).toBe(false);
});

it("keeps a limited grant inside its scope", () => {
  const roles = ["legal@DE", "product@staging"];
  expect(mayDo(roles, "terms", "DE-BE")).toBe(true);
  expect(mayDo(roles, "terms", "UY")).toBe(false);
  expect(mayDo(roles, "terms")).toBe(true);
  expect(mayDo(roles, "flags", "production")).toBe(false);
  expect(mayDo(roles, "flags", "staging")).toBe(true);
});

it("lets in every person with a role for the console, limited or not", () => {
  expect(entersConsole(["rider"])).toBe(false);
  expect(entersConsole(["rider", "viewer@DE"])).toBe(true);
});

it("returns the only markets where a task is allowed", () => {
  expect(onlyWithin(["legal@DE", "legal@UY", "viewer"], "terms")).toEqual(["DE", "UY"]);
  expect(onlyWithin(["legal@DE", "admin"], "terms")).toEqual([]);
  expect(onlyWithin(["viewer@DE"], "terms")).toEqual([]);
  expect(mayDo(["legal@DE"], "terms", EVERYWHERE)).toBe(false);
  expect(mayDo(["legal"], "terms", EVERYWHERE)).toBe(true);
});

it("hides the audit log from people with roles for some markets only", () => {
  expect(readsAudit(["legal@DE", "rider"])).toBe(false);
  expect(readsAudit(["legal@DE", "viewer"])).toBe(true);
  expect(readsAudit(["product@staging"])).toBe(false);
});

it("keeps representatives to published texts, the register and counts", () => {
  const representative = ["representative@DE"];
  expect(entersConsole(representative)).toBe(true);
  expect(mayDo(representative, "reports")).toBe(true);
  expect(mayDo(representative, "company data")).toBe(false);
  expect(readsAudit(["representative"])).toBe(false);
  expect(mayDo(["operator"], "company data")).toBe(true);
  expect(mayDo(["viewer"], "reports")).toBe(false);
});
