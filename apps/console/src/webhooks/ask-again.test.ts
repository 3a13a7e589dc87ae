import { expect, it } from "vitest";
import { askAgainAfter } from "./ask-again";

const now = Date.parse("2026-11-02T08:00:00Z");

it("refetches while a delivery is being tried", () => {
  expect(askAgainAfter([{}, { next_attempt_at: "2026-11-02T08:00:05Z" }], now)).toBe(2_000);
});

it("waits if the next attempt is hours away", () => {
  expect(askAgainAfter([], now)).toBe(false);
  expect(askAgainAfter([{}, { next_attempt_at: "2026-11-02T10:00:00Z" }], now)).toBe(false);
});
