import { expect, it } from "vitest";
import { answersAt, type PastDecision, type PublishedTerm, standing } from "./standing";

const term = (id: number, more: Partial<PublishedTerm> = {}): PublishedTerm => ({
  id,
  type: "FREELANCER",
  version: 1,
  mandatory: true,
  display_order: id,
  label: null,
  material: true,
  market: null,
  instead_of: null,
  published_at: "2026-01-01T00:00:00.000Z",
  effective_from: "2026-01-01T00:00:00.000Z",
  status: "active",
  variants: [
    { locale: "en", title: `Term ${id}`, sha256: `en-${id}` },
    { locale: "ar", title: `الشرط ${id}`, sha256: `ar-${id}` },
  ],
  ...more,
});

const made = (id: number, accepted: boolean, day: string): PastDecision => ({
  user_id: "r1",
  user_type: "RIDER",
  evidence: "presented",
  type: "FREELANCER",
  title: `Term ${id}`,
  label: null,
  consented_at: `2026-${day}T08:00:00.000Z`,
  terms_and_conditions_id: id,
  accepted,
  recorded_at: `2026-${day}T08:00:01.000Z`,
  receipt_id: `receipt-${id}-${day}`,
  version: 1,
  sha256: `ar-${id}`,
});

const latest = (id: number, accepted: boolean, inherited_from?: number) => ({
  terms_and_conditions_id: id,
  accepted,
  consented_at: "2026-03-01T08:00:00.000Z",
  ...(inherited_from && { inherited_from }),
});

it("puts what is mandatory first, each in the reader's language", () => {
  const terms = [term(1, { mandatory: false }), term(3), term(2)];
  const rows = standing({ terms, latest: [], past: [], outstanding: [] }, "ar");
  expect(rows.map(({ title }) => title)).toEqual(["الشرط 2", "الشرط 3", "الشرط 1"]);
});

it("tells outstanding from what nobody has to decide", () => {
  const answers = {
    terms: [term(1), term(2, { mandatory: false })],
    latest: [],
    past: [],
    outstanding: [{ id: 1, grace_until: "2026-12-01T00:00:00.000Z" }],
  };
  expect(standing(answers, "en")).toMatchObject([
    { state: "outstanding", isOutstanding: true, graceUntil: "2026-12-01T00:00:00.000Z" },
    { state: "undecided", isOutstanding: false },
  ]);
});

it("says when, on which version and in which language it was accepted", () => {
  const answers = {
    terms: [term(6, { version: 2 }), term(2, { status: "superseded" })],
    latest: [latest(6, true, 2)],
    past: [{ ...made(2, true, "02-01"), label: "1.0" }],
    outstanding: [],
  };
  expect(standing(answers, "en")).toHaveLength(1);
  expect(standing(answers, "en")[0]).toMatchObject({
    state: "accepted",
    decidedAt: "2026-02-01T08:00:01.000Z",
    version: "1.0",
    locale: "ar",
    receiptId: "receipt-2-02-01",
  });
});

it("knows a refusal from a withdrawal", () => {
  const outstanding = [{ id: 1 }];
  const refused = { terms: [term(1)], latest: [latest(1, false)], outstanding };
  expect(standing({ ...refused, past: [made(1, false, "03-01")] }, "en")[0]?.state).toBe("refused");
  const past = [made(1, false, "03-01"), made(1, true, "02-01")];
  expect(standing({ ...refused, past }, "en")[0]?.state).toBe("withdrawn");
});

it("has a decision that is older than all that was read", () => {
  const answers = { terms: [term(1)], latest: [latest(1, true)], past: [], outstanding: [] };
  const row = standing(answers, "en")[0];
  expect(row).toMatchObject({ state: "accepted", decidedAt: "2026-03-01T08:00:00.000Z" });
  expect(row?.receiptId).toBeUndefined();
});

it("shows an earlier time by what was in effect and recorded then", () => {
  const until = (day: string) => ({ grace_until: `2026-${day}T00:00:00.000Z` });
  const from = (day: string) => ({
    published_at: `2026-${day}T00:00:00.000Z`,
    effective_from: `2026-${day}T00:00:00.000Z`,
  });
  const answers = {
    terms: [
      term(1, { status: "superseded", replaced_by: 2 }),
      term(2, { ...from("03-01"), material: false, replaces: 1, status: "superseded" }),
      term(3, { ...from("05-01"), ...until("06-01"), replaces: 2 }),
      term(4, { ...from("02-01"), status: "retired", retired_at: "2026-04-01T00:00:00.000Z" }),
    ],
    latest: [],
    past: [made(3, true, "07-01"), made(4, false, "02-03"), made(1, true, "02-02")],
    outstanding: [],
  };
  const at = (day: string) => {
    const shown = answersAt(answers, Date.parse(`2026-${day}T12:00:00.000Z`));
    const rows = standing(shown, "en").map(({ term, state }) => `${term.id} ${state}`);
    return [...rows, shown.mayWork];
  };
  expect(at("01-05")).toEqual(["1 outstanding", false]);
  expect(at("02-20")).toEqual(["1 accepted", "4 refused", false]);
  // A minor version inherits; the retired one is not asked for any more.
  expect(at("04-10")).toEqual(["2 accepted", true]);
  expect(at("05-10")).toEqual(["3 outstanding", true]);
  expect(at("06-10")).toEqual(["3 outstanding", false]);
  expect(at("07-02")).toEqual(["3 accepted", true]);
});
