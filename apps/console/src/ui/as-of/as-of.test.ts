import { expect, it } from "vitest";
import { dayOf, endOfDay, UTC } from "./as-of";

const now = new Date(2026, 10, 22, 20, 30);

it("returns the end of a past day", () => {
  expect(endOfDay("2026-11-21", undefined, now)).toBe(
    new Date(2026, 10, 21, 23, 59, 59, 999).toISOString(),
  );
  expect(dayOf(now)).toBe("2026-11-22");
});

it.each([undefined, "2026-11-22", "2026-11-23", "2026-13-40", "yesterday"])(
  "treats %s as now",
  (day) => expect(endOfDay(day, undefined, now)).toBeUndefined(),
);

it("returns the end of a day of UTC for a page whose charts have days of UTC", () => {
  const now = new Date("2026-11-22T23:30:00Z");
  expect(endOfDay("2026-11-21", UTC, now)).toBe("2026-11-21T23:59:59.999Z");
  expect(endOfDay("2026-11-22", UTC, now)).toBeUndefined();
});
