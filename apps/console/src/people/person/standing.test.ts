import { expect, it } from "vitest";
import { type PastDecision, type PublishedTerm, type RequiredTerm, standing } from "./standing";

const term = (id: number, more: Partial<PublishedTerm> = {}): PublishedTerm => ({
  id,
  type: "FREELANCER",
  kind: "consent",
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

const decision = (id: number, accepted: boolean, day: string): PastDecision => ({
  user_id: "r1",
  user_type: "RIDER",
  evidence: "presented",
  type: "FREELANCER",
  title: `Term ${id}`,
  label: null,
  consented_at: `2026-${day}T08:00:00.000Z`,
  terms_and_conditions_id: id,
  accepted,
  decision: accepted ? "accepted" : "declined",
  recorded_at: `2026-${day}T08:00:01.000Z`,
  receipt_id: `receipt-${id}-${day}`,
  version: 1,
  sha256: `ar-${id}`,
});

const termStanding = (id: number, more: Partial<RequiredTerm> = {}): RequiredTerm => ({
  terms_and_conditions_id: id,
  outstanding: false,
  ...more,
});

const decided = (id: number, decision: RequiredTerm["decision"], on = id): RequiredTerm =>
  termStanding(id, {
    accepted: decision === "accepted",
    ...(decision && { decision }),
    decided_on: on,
    consented_at: "2026-03-01T08:00:00.000Z",
  });

it("lists mandatory terms first, with titles in the reader's language", () => {
  const terms = [term(1, { mandatory: false }), term(3), term(2)];
  const rows = standing(
    { terms, asked: [termStanding(1), termStanding(3), termStanding(2)], past: [] },
    "ar",
  );
  expect(rows.map(({ title }) => title)).toEqual(["الشرط 2", "الشرط 3", "الشرط 1"]);
});

it("leaves out terms that do not apply to this person", () => {
  const terms = [term(1, { market: "DE" }), term(2)];
  const rows = standing({ terms, asked: [termStanding(2)], past: [] }, "en");
  expect(rows.map(({ title }) => title)).toEqual(["Term 2"]);
});

it("distinguishes outstanding terms from optional ones", () => {
  const answers = {
    terms: [term(1), term(2, { mandatory: false })],
    asked: [
      termStanding(1, { outstanding: true, grace_until: "2026-12-01T00:00:00.000Z" }),
      termStanding(2),
    ],
    past: [],
  };
  expect(standing(answers, "en")).toMatchObject([
    { state: "outstanding", isOutstanding: true, graceUntil: "2026-12-01T00:00:00.000Z" },
    { state: "undecided", isOutstanding: false },
  ]);
});

it("contains the time, the version and the language of an inherited acceptance", () => {
  const answers = {
    terms: [term(6, { version: 2 }), term(2, { status: "superseded" })],
    asked: [decided(6, "accepted", 2)],
    past: [{ ...decision(2, true, "02-01"), label: "1.0" }],
  };
  expect(standing(answers, "en")).toHaveLength(1);
  expect(standing(answers, "en")[0]).toMatchObject({
    state: "accepted",
    decidedAt: "2026-02-01T08:00:01.000Z",
    version: "1.0",
    inheritedFrom: "1",
    locale: "ar",
    receiptId: "receipt-2-02-01",
  });
});

it("distinguishes a refusal from a withdrawal", () => {
  const stateOf = (decision: RequiredTerm["decision"]) =>
    standing({ terms: [term(1)], asked: [decided(1, decision)], past: [] }, "en")[0]?.state;
  expect(stateOf("declined")).toBe("declined");
  expect(stateOf("withdrawn")).toBe("withdrawn");
});

it("shows a decision that is older than the fetched history", () => {
  const row = standing({ terms: [term(1)], asked: [decided(1, "accepted")], past: [] }, "en")[0];
  expect(row).toMatchObject({ state: "accepted", decidedAt: "2026-03-01T08:00:00.000Z" });
  expect(row?.receiptId).toBeUndefined();
});
