import { expect, it, vi } from "vitest";
import { checkReceipt, receiptIn } from "./check";

const verifyReceipt = vi.hoisted(() => vi.fn());
vi.mock("@musette/client/log", () => ({ verifyReceipt }));

const proved = {
  ok: true,
  index: 4,
  entry: { consents: [{ sha256: "a" }, { sha256: "b" }, { sha256: "a" }] },
  checkpoint: { origin: "log", size: 9 },
  subject: "not_claimed",
};
const refused = (code: string) => ({ ok: false, code, reason: `because ${code}` });
const options = { vkeys: ["key"], checkDocument: async () => "same" as const };
const outcomes = (verdict: { steps: readonly { outcome: string }[] }) =>
  verdict.steps.map(({ outcome }) => outcome).join(" ");

it.each([
  ["malformed", "bad open open open open open"],
  ["unknown_signer", "good bad open open open open"],
  ["bad_signature", "good good bad open open open"],
  ["not_in_log", "good good good bad open open"],
])("%s: earlier steps pass, later steps are not checked", async (code, expected) => {
  verifyReceipt.mockResolvedValueOnce(refused(code));
  const verdict = await checkReceipt("{}", options);
  expect(verdict.isGood).toBe(false);
  expect(outcomes(verdict)).toBe(expected);
  expect(verdict.steps.find(({ outcome }) => outcome === "bad")?.reason).toBe(`because ${code}`);
});

it("passes without a user id, and checks each document once", async () => {
  verifyReceipt.mockResolvedValueOnce(proved);
  const checkDocument = vi.fn(async () => "same" as const);
  const verdict = await checkReceipt("{}", { ...options, checkDocument });
  expect(verdict.isGood).toBe(true);
  expect(outcomes(verdict)).toBe("good good good good good open");
  expect(checkDocument.mock.calls).toEqual([["a"], ["b"]]);
});

it("fails for another person, and for a changed document", async () => {
  verifyReceipt.mockResolvedValueOnce(proved).mockResolvedValueOnce(refused("other_person"));
  const verdict = await checkReceipt("{}", {
    vkeys: [],
    userId: "r2",
    checkDocument: async (sha256) => (sha256 === "b" ? "other" : "same"),
  });
  expect(verdict.isGood).toBe(false);
  expect(outcomes(verdict)).toBe("good good good good bad bad");
});

it("still passes if a document is not available", async () => {
  verifyReceipt.mockResolvedValueOnce(proved);
  const verdict = await checkReceipt("{}", { ...options, checkDocument: async () => "gone" });
  expect(verdict.isGood).toBe(true);
  expect(outcomes(verdict)).toBe("good good good good missing open");
});

it("finds the receipt in the answer to a submission", () => {
  expect(receiptIn('{"receipt":{"id":"x"}}')).toEqual({ id: "x" });
  expect(receiptIn('{"id":"x"}')).toEqual({ id: "x" });
  expect(receiptIn("no json")).toBe("no json");
});
