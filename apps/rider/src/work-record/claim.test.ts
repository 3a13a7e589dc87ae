import { describe, expect, it } from "vitest";
import { claimedFigures, EMPTY_CLAIM, messageLength, nearestTime } from "./claim";

/** A local time, because the rider reads and types times of this device. */
const local = (day: number, hours: number, minutes: number) =>
  new Date(2026, 10, day, hours, minutes);
const subject = {
  kind: "shift",
  reference: "night",
  starts_at: local(20, 23, 50).toISOString(),
  ends_at: local(21, 4, 0).toISOString(),
} as const;

describe("a stated time", () => {
  it("is the nearest one to the plan, also across midnight", () => {
    expect(nearestTime(local(20, 23, 50), "00:05")).toEqual(local(21, 0, 5));
    expect(nearestTime(local(21, 0, 5), "23:50")).toEqual(local(20, 23, 50));
    expect(nearestTime(local(20, 17, 0), "17:12")).toEqual(local(20, 17, 12));
    expect(nearestTime(local(20, 17, 0), "")).toBeUndefined();
  });

  it("becomes a distance from the plan", () => {
    const claim = { ...EMPTY_CLAIM, start: "00:05", end: "04:10", minutes: "240" };
    expect(claimedFigures({ subject }, claim)).toEqual({
      late_by_seconds: 900,
      early_by_seconds: 0,
      overtime_seconds: 600,
      worked_minutes: 240,
    });
    expect(claimedFigures({ subject }, { ...EMPTY_CLAIM, start: "23:45" })).toEqual({
      late_by_seconds: 0,
    });
  });

  it("is left out if the rider states none", () => {
    expect(claimedFigures({ subject }, EMPTY_CLAIM)).toBeUndefined();
  });
});

it("counts a message as the server does", () => {
  expect(messageLength("  🛵🛵🛵  ")).toBe(3);
});
