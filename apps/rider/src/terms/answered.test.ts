import { expect, it } from "vitest";
import { isAnswered } from "./answered";
import type { StoredReceipt } from "./receipt";

const AT = "2026-11-22T14:30:00.123Z";
const pending = (userId: string, at = AT, ids = [1, 2]) => ({
  userId,
  body: JSON.stringify({
    consents: ids.map((id) => ({ terms_and_conditions_id: id, accepted: true, consented_at: at })),
  }),
});
const receipt = (userId: string): StoredReceipt => ({
  id: "r",
  root: "r",
  userId,
  recordedAt: AT,
  decisions: [1, 2].map((termId) => ({ termId, accepted: true, recordedAt: AT, receiptId: "r" })),
  signed: {
    id: "r",
    index: 0,
    entry: `{"consents":[{"consented_at":"${AT}"},{"consented_at":"${AT}"}]}`,
    proof: "",
    subject_key: "",
  },
});

it("matches only a receipt of exactly this decision by the same person", () => {
  expect(isAnswered(pending(""), [receipt("")])).toBe(true);
  expect(isAnswered(pending("r1"), [receipt("r1")])).toBe(true);
  expect(isAnswered(pending("r1"), [receipt("")])).toBe(false);
  expect(isAnswered(pending("", "2026-11-22T14:30:00.124Z"), [receipt("")])).toBe(false);
  expect(isAnswered(pending("", AT, [1, 3]), [receipt("")])).toBe(false);
  expect(isAnswered(pending(""), [])).toBe(false);
});
