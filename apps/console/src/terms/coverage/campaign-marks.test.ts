import { expect, it } from "vitest";
import { stepsSent } from "./campaign-marks";

const progress = { waiting: 0, accepted: 0, bounced: 0, failed: 0, skipped: 0 };
const step = (due: string | null, channel: "app" | "email" | "sms") => ({
  at: { after: "start", by: "P0D" },
  channel,
  due_at: due,
  progress,
});
/** Late in the evening of this browser, where another day may have begun in UTC. */
const EVENING = new Date(2026, 10, 20, 23, 59, 59).toISOString();
const NOW = "2026-11-27T09:00:00Z";
const CAMPAIGN = {
  started_at: "2026-11-10T09:00:00Z",
  ended_at: null,
  steps: [
    step("2026-11-01T09:00:00Z", "email"),
    step(EVENING, "sms"),
    step("2026-12-01T09:00:00Z", "app"),
  ],
};

it("marks the steps that were due, past ones at the start", () => {
  expect(stepsSent(CAMPAIGN, NOW)).toEqual([
    { day: "2026-11-10", channel: "email" },
    { day: "2026-11-20", channel: "sms" },
  ]);
});

it("marks no step after the end, and none of a draft", () => {
  const cancelled = { ...CAMPAIGN, ended_at: "2026-11-12T09:00:00Z" };
  expect(stepsSent(cancelled, NOW)).toEqual([{ day: "2026-11-10", channel: "email" }]);
  expect(stepsSent({ ...CAMPAIGN, started_at: null }, NOW)).toEqual([]);
});
