import { expect, it } from "vitest";
import { defaultDates } from "./default-dates";

it("gives a new draft a future date and a grace period of 14 days", () => {
  const now = Date.parse("2026-11-27T12:00:00Z");
  const { effective_from, grace_until } = defaultDates(now);
  expect(Date.parse(effective_from)).toBeGreaterThan(now + 6 * 86_400_000);
  const days = (Date.parse(grace_until) - Date.parse(effective_from)) / 86_400_000;
  expect(Math.round(days)).toBe(14);
  expect(new Date(effective_from).getHours()).toBe(0);
});
