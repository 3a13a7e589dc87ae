import { expect, it } from "vitest";
import { blockedNow } from "./blocked-now";
import { type DraftBody, emptyDraft } from "./draft";

const NOW = Date.parse("2026-11-27T12:00:00Z");
const check = {
  problems: [],
  warnings: [],
  riders: 90,
  riders_asked: 90,
  riders_asked_again: 0,
  agreements: 0,
};
const blocked = (change: Partial<DraftBody>) =>
  blockedNow(check, { ...emptyDraft, ...change }, NOW);

it("counts the riders that a publication without a later date blocks", () => {
  expect(blocked({})).toBe(90);
  expect(blocked({ effective_from: "2026-11-27T11:59:00Z" })).toBe(90);
  expect(blocked({ grace_until: "2026-11-27T11:59:00Z" })).toBe(90);
});

it("counts no riders for a later date, a grace period, an optional or a minor version", () => {
  expect(blocked({ effective_from: "2026-11-28T00:00:00Z" })).toBe(0);
  expect(blocked({ grace_until: "2026-12-11T00:00:00Z" })).toBe(0);
  expect(blocked({ mandatory: false })).toBe(0);
  expect(blocked({ minor: true })).toBe(0);
});
