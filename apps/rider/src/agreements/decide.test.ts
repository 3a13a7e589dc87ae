import type { Term } from "@musette/client/terms";
import { expect, it } from "vitest";
import { attemptTo } from "./decide";

const term: Term = {
  id: 15,
  title: "Marketing messages",
  content: "https://musette.test/documents/x.pdf",
  mandatory: false,
  display_order: 5,
  sha256: "ab",
};
const at = new Date("2026-11-21T09:30:00.000Z");

it("withdraws a rider's consent under their id, and never by a receipt", () => {
  const { submission } = attemptTo(false, term, { userId: "r1", receiptId: "x", locale: "de" }, at);
  expect(submission).toEqual({
    user_id: "r1",
    user_type: "RIDER",
    consents: [
      {
        terms_and_conditions_id: 15,
        accepted: false,
        consented_at: "2026-11-21T09:30:00.000Z",
        sha256: "ab",
        method: "tick",
      },
    ],
    locale: "de",
    app: "musette-rider",
  });
});

it("withdraws an applicant's by the receipt of their submission", () => {
  const by = { userId: undefined, receiptId: "secret", locale: "en" };
  expect(attemptTo(false, term, by, at).submission).toMatchObject({
    user_id: "",
    user_type: "APPLICANT",
    receipt_id: "secret",
  });
});

it("gives each tap a key of its own, long enough for a caller without a session", () => {
  const by = { userId: undefined, receiptId: "secret", locale: "en" };
  const keys = [attemptTo(true, term, by, at).key, attemptTo(true, term, by, at).key];
  expect(new Set(keys).size).toBe(2);
  expect(keys[0]?.length).toBeGreaterThanOrEqual(22);
});
