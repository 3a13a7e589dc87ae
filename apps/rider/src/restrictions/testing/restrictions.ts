import type { Restriction } from "../restriction";

/** A suspension that is in force on 27 November 2026. */
export function restriction(change: Partial<Restriction> = {}): Restriction {
  return {
    id: "4f3c1a52-9a0e-4c67-8f1d-0b8f5f7f2a11",
    user_id: "rider-1",
    kind: "suspension",
    status: "IMPOSED",
    version: 1,
    market: null,
    statement: { en: "You may not work until 1 December, because two orders were not delivered." },
    reasons: [{ code: "missing_orders", text: { en: "Two orders were not delivered." } }],
    contact: { name: "Rider support", email: "riders@larkspur.example" },
    starts_at: "2026-11-26T12:00:00.000Z",
    ends_at: "2026-12-01T12:00:00.000Z",
    evaluations: [],
    system: null,
    decided_by: { kind: "human", role: "reviewer" },
    decided_at: "2026-11-26T12:00:00.000Z",
    ended_at: null,
    lift_message: null,
    review: null,
    ...change,
  };
}
