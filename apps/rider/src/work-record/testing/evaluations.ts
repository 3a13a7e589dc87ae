import type { EvaluationDetail, EvaluationVersion } from "../evaluation";

/** One version of a test evaluation: a program recorded a late start. */
export function version(change: Partial<EvaluationVersion> = {}): EvaluationVersion {
  return {
    version: 2,
    from: "PENDING",
    to: "EVALUATED",
    by: { kind: "service" },
    at: "2026-11-20T21:05:00.000Z",
    figures: { late_by_seconds: 720 },
    reasons: [],
    system: null,
    statement: null,
    message: null,
    contest_until: "2026-11-27T21:05:00.000Z",
    answer_due: null,
    ...change,
  };
}

/** A shift whose rider started 12 minutes late. */
export function evaluation(change: Partial<EvaluationDetail> = {}): EvaluationDetail {
  return {
    id: "0f8fad5b-d9cb-469f-a165-70867728950e",
    user_id: "rider-1",
    status: "EVALUATED",
    version: 2,
    subject: {
      kind: "shift",
      reference: "shift-1",
      starts_at: "2026-11-20T17:00:00.000Z",
      ends_at: "2026-11-20T21:00:00.000Z",
    },
    figures: { late_by_seconds: 720 },
    reasons: [{ code: "late", text: { en: "Started late", de: "Zu spät begonnen" } }],
    statement: null,
    system: { name: "order-dispatch", version: "7.2" },
    decided_by: { kind: "service" },
    decided_at: "2026-11-20T21:05:00.000Z",
    contest_until: "2026-11-27T21:05:00.000Z",
    answer_due: null,
    overdue: false,
    finalised_at: null,
    discussion: null,
    history: [version()],
    ...change,
  };
}
