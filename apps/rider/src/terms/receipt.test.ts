// @vitest-environment happy-dom
import type { SubmissionAnswer } from "@musette/client/terms";
import { expect, it } from "vitest";
import { receiptOf } from "./receipt";

const answer: SubmissionAnswer = {
  user_id: "",
  user_type: "APPLICANT",
  consents: [],
  recorded_at: "2026-11-21T09:30:00.000Z",
  receipt: { id: "r" },
};

it("keeps the whole receipt if it has a proof", () => {
  const receipt = { id: "r", index: 0, entry: "{}", proof: "p", subject_key: "k", more: 1 };
  expect(receiptOf({ ...answer, receipt }, () => undefined).signed).toEqual(receipt);
});

it("keeps no proof from an older server, which returns only an id", () => {
  expect(receiptOf(answer, () => undefined)).not.toHaveProperty("signed");
});
