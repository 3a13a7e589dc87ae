import { expect, it } from "vitest";
import { canonicalJson } from "./canonical";
import { decodeSubmission } from "./entry";

function entry(over: object): string {
  const consent = {
    accepted: true,
    consented_at: "2026-11-23T20:00:00Z",
    evidence: "presented",
    sha256: "ab".repeat(32),
    terms_and_conditions_id: 7,
  };
  return canonicalJson({
    consents: [consent],
    id: "e1",
    recorded_at: "2026-11-23T20:00:01.000Z",
    subject: "cd".repeat(32),
    user_type: "APPLICANT",
    v: 1,
    ...over,
  });
}

it.each(["DE", "DE-BE", "DE-BE.berlin", "UY.montevideo", "GB-ENG.a-1"])(
  "reads the market %s",
  (market) => {
    expect(decodeSubmission(entry({ market })).market).toBe(market);
  },
);

it("reads the sign-in methods of the user", () => {
  expect(decodeSubmission(entry({ amr: ["pwd", "otp", "mfa"] })).amr).toEqual([
    "pwd",
    "otp",
    "mfa",
  ]);
  expect(decodeSubmission(entry({}))).not.toHaveProperty("amr");
});

it.each([null, "otp", [], [1], [""], ["one time"], ["OTP"], Array(9).fill("otp")])(
  "rejects %j as sign-in methods",
  (amr) => {
    expect(() => decodeSubmission(entry({ amr }))).toThrow("amr");
  },
);

it("reads an entry without a market", () => {
  expect(decodeSubmission(entry({}))).not.toHaveProperty("market");
});

it.each([null, "", "DE BE", "DE\n", "D".repeat(65), "BÄ", 49])(
  "rejects %j as a market",
  (market) => {
    expect(() => decodeSubmission(entry({ market }))).toThrow("market");
  },
);
