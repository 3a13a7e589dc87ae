import { describe, expect, it, vi } from "vitest";
import { canRequestReview, isCurrent, isUpcoming } from "./restriction";
import { restriction } from "./testing/restrictions";

vi.mock("../session/session", () => ({ session: {} }));

const NOW = new Date("2026-11-27T12:00:00.000Z");

describe("a restriction", () => {
  it("is current until its end, also before it starts", () => {
    expect(isCurrent(restriction(), NOW)).toBe(true);
    expect(isCurrent(restriction({ ends_at: null }), NOW)).toBe(true);
    expect(isCurrent(restriction({ ends_at: NOW.toISOString() }), NOW)).toBe(false);
    expect(isCurrent(restriction({ status: "LIFTED" }), NOW)).toBe(false);
    const later = restriction({ starts_at: "2026-11-28T12:00:00.000Z" });
    expect([isCurrent(later, NOW), isUpcoming(later, NOW)]).toEqual([true, true]);
    expect(isUpcoming(restriction(), NOW)).toBe(false);
  });

  it("can be reviewed once, until six months after its end", () => {
    expect(canRequestReview(restriction(), NOW)).toBe(true);
    const ended = (ended_at: string) => restriction({ status: "LIFTED", ended_at });
    expect(canRequestReview(ended("2026-05-27T12:00:00.000Z"), NOW)).toBe(true);
    expect(canRequestReview(ended("2026-05-27T11:59:59.999Z"), NOW)).toBe(false);
    const review = {
      requested_at: "2026-11-26T12:00:00.000Z",
      message: "Please check this.",
      answer_due: "2026-12-10T12:00:00.000Z",
      overdue: false,
      outcome: null,
      answer: null,
      answered_at: null,
    };
    expect(canRequestReview(restriction({ review }), NOW)).toBe(false);
  });
});
