import { expect, it } from "vitest";
import { dayOf, endOfDay } from "./as-of";

const now = new Date(2026, 10, 22, 20, 30);

it("returns the end of a past day", () => {
  expect(endOfDay("2026-11-21", now)).toBe(new Date(2026, 10, 21, 23, 59, 59, 999).toISOString());
  expect(dayOf(now)).toBe("2026-11-22");
});

it.each([undefined, "2026-11-22", "2026-11-23", "2026-13-40", "yesterday"])(
  "treats %s as now",
  (day) => expect(endOfDay(day, now)).toBeUndefined(),
);
