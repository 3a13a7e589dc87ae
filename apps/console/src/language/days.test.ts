import { expect, it } from "vitest";
import { dayAfter, dayOf, endOfDay, startOf } from "./days";

const now = new Date(2026, 10, 22, 23, 30);

it("takes the day of this browser’s time zone", () => {
  expect(dayOf(now)).toBe("2026-11-22");
  expect(dayOf(new Date(2026, 0, 1, 0, 30))).toBe("2026-01-01");
});

it("returns the beginning and the end of a past day of the same time zone", () => {
  expect(startOf("2026-11-21")).toBe(new Date(2026, 10, 21).toISOString());
  const end = new Date(2026, 10, 21, 23, 59, 59, 999).toISOString();
  expect(endOfDay("2026-11-21", now)).toBe(end);
  expect(dayOf(new Date(end))).toBe("2026-11-21");
});

it.each([undefined, "2026-11-22", "2026-11-23", "2026-13-40", "yesterday"])(
  "treats %s as now",
  (day) => expect(endOfDay(day, now)).toBeUndefined(),
);

it("counts days across the ends of months and of summer time", () => {
  expect(dayAfter("2026-10-24", 2)).toBe("2026-10-26");
  expect(dayAfter("2026-03-01", -1)).toBe("2026-02-28");
});
