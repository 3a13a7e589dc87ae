import { expect, it } from "vitest";
import { rateLine } from "./rate-line";

it("adds up the acceptances of each day to the rate of today", () => {
  const byDay = [
    { day: "2026-11-20", riders_accepted: 40 },
    { day: "2026-11-26", riders_accepted: 10 },
    { day: "2026-11-27", riders_accepted: 26 },
  ];
  const line = rateLine(byDay, { riders: 100, accepted: 76 }, "2026-11-27", 4);
  expect(line).toEqual([0.4, 0.4, 0.5, 0.76]);
});

it("returns zero for a document that concerns no riders", () => {
  expect(rateLine([], { riders: 0, accepted: 0 }, "2026-11-27", 2)).toEqual([0, 0]);
});
