import { afterAll, beforeAll, expect, it } from "vitest";
import { fromLocal, toLocal } from "./local-instant";

const zone = process.env.TZ;
beforeAll(() => {
  process.env.TZ = "Europe/Berlin";
});
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

it("uses the operator's time zone, in winter and in summer", () => {
  expect(toLocal("2026-12-21T10:58:40.706Z")).toBe("2026-12-21T11:58");
  expect(toLocal("2026-07-01T22:30:00Z")).toBe("2026-07-02T00:30");
  expect(fromLocal("2026-12-21T11:58")).toBe("2026-12-21T10:58:00.000Z");
  expect(fromLocal("2026-07-02T00:30")).toBe("2026-07-01T22:30:00.000Z");
});

it("reads the hour that is skipped in spring as the one after it", () => {
  expect(fromLocal("2026-03-29T02:30")).toBe("2026-03-29T01:30:00.000Z");
  expect(toLocal("2026-03-29T01:30:00.000Z")).toBe("2026-03-29T03:30");
});

it("is undefined while the text is incomplete", () => {
  expect(fromLocal("")).toBeUndefined();
  expect(fromLocal("2026-12-21")).toBeUndefined();
  expect(toLocal(undefined)).toBe("");
  expect(toLocal("soon")).toBe("");
});
