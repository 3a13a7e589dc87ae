import { expect, it } from "vitest";
import { totalsOf, upcomingStep } from "./progress";

const step = (due: string | null, channel: "app" | "email", accepted = 0, waiting = 0) => ({
  at: { after: "start", by: "P0D" },
  channel,
  due_at: due,
  progress: { waiting, accepted, bounced: 1, failed: 0, skipped: 2 },
});
const STEPS = [
  step("2026-12-08T09:00:00Z", "email"),
  step("2026-11-01T09:00:00Z", "email", 5, 3),
  step("2026-12-01T09:00:00Z", "app", 0, 4),
];
const NOW = Date.parse("2026-11-27T09:00:00Z");

it("adds the numbers of all steps", () => {
  expect(totalsOf({ steps: STEPS })).toEqual({
    waiting: 7,
    accepted: 5,
    bounced: 3,
    failed: 0,
    skipped: 6,
    settled: 8,
    prepared: 15,
    queued: 3,
  });
});

it("finds the step that is due next", () => {
  expect(upcomingStep({ steps: STEPS, status: "running" }, NOW)).toBe(STEPS[2]);
  expect(upcomingStep({ steps: STEPS.slice(1, 2), status: "running" }, NOW)).toBeUndefined();
  expect(upcomingStep({ steps: STEPS, status: "finished" }, NOW)).toBeUndefined();
});
