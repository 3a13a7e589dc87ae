import { expect, it } from "vitest";
import { countDue } from "./review-counts";

const NOW = new Date("2026-11-27T12:00:00.000Z");

it("counts what is overdue, what is due within 4 days, and all", () => {
  const dates = [
    "2026-11-20T12:00:00.000Z",
    "2026-11-27T11:59:59.999Z",
    "2026-11-27T12:00:00.000Z",
    "2026-12-01T11:59:59.999Z",
    "2026-12-01T12:00:00.000Z",
    "2026-12-11T12:00:00.000Z",
  ];
  expect(countDue(dates, NOW)).toEqual({ overdue: 2, soon: 2, open: 6 });
});

it("does not count a discussion without a due date", () => {
  expect(countDue([null, undefined], NOW)).toEqual({ overdue: 0, soon: 0, open: 0 });
});
