import { expect, it } from "vitest";
import { refetchDelay } from "./ask-again";

const now = Date.parse("2026-11-02T08:00:00Z");

it("refetches while a delivery is being tried", () => {
  expect(refetchDelay([{}, { next_attempt_at: "2026-11-02T08:00:05Z" }], now)).toBe(2_000);
});

it("waits if the next attempt is hours away", () => {
  expect(refetchDelay([], now)).toBe(false);
  expect(refetchDelay([{}, { next_attempt_at: "2026-11-02T10:00:00Z" }], now)).toBe(false);
});
