import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { verifyDecisionReceipt, verifyMessageProof, verifyOpeningReceipt } from "./recorded";

interface Case {
  readonly case: string;
  readonly valid: boolean;
  readonly receipt: string;
}
interface Vectors {
  readonly key: string;
  readonly user_id: string;
  readonly decisions: readonly Case[];
  readonly openings: readonly Case[];
  readonly messages: readonly Case[];
}

const file = new URL("../../../../testdata/recorded-receipts.json", import.meta.url);
const vectors: Vectors = JSON.parse(readFileSync(file, "utf8"));
const vkeys = [vectors.key];

function each(cases: readonly Case[], verify: (receipt: string) => Promise<{ ok: boolean }>): void {
  expect(cases.some((one) => one.valid) && cases.some((one) => !one.valid)).toBe(true);
  it.each(cases.map((one) => [one.case, one] as const))("%s", async (_, one) => {
    expect((await verify(one.receipt)).ok).toBe(one.valid);
  });
}

describe("receipts of decisions", () => {
  each(vectors.decisions, (receipt) => verifyDecisionReceipt(receipt, { vkeys }));
});

describe("receipts of opened notices", () => {
  const { user_id: userId } = vectors;
  each(vectors.openings, (receipt) => verifyOpeningReceipt(receipt, { vkeys, userId }));
});

describe("proofs of messages", () => {
  each(vectors.messages, (receipt) => verifyMessageProof(receipt, { vkeys }));
});

it("rejects the opening of another person", async () => {
  const [opening] = vectors.openings;
  const verified = await verifyOpeningReceipt(opening?.receipt, { vkeys, userId: "another" });
  expect(verified).toMatchObject({ ok: false, code: "other_person" });
});

it("returns what is proved", async () => {
  const [decision, message] = [vectors.decisions[0], vectors.messages[0]];
  const verified = await verifyDecisionReceipt(decision?.receipt, { vkeys });
  expect(verified).toMatchObject({ ok: true, entry: { to: "EVALUATED" }, record: { version: 2 } });
  const proved = await verifyMessageProof(JSON.parse(message?.receipt ?? ""), { vkeys });
  expect(proved).toMatchObject({ ok: true, entry: { count: 7 }, record: { channel: "email" } });
});

it.each([
  ["nothing", undefined],
  ["null", null],
  ["a text", "not JSON"],
  ["a list", "[]"],
  ["other members", { entry: 7, proof: {} }],
])("rejects %s", async (_, receipt) => {
  for (const verify of [verifyDecisionReceipt, verifyOpeningReceipt, verifyMessageProof]) {
    expect(await verify(receipt, { vkeys })).toMatchObject({ ok: false, code: "malformed" });
  }
});
