import { generateKeyPairSync, sign } from "node:crypto";
import { beforeAll, expect, it, vi } from "vitest";
import { hex, utf8 } from "./encoding";
import { hmacSha256Hex, leafHash, sha256 } from "./hash";
import { type SignedReceipt, verifyReceipt } from "./receipt";
import type { RefusalCode } from "./refusal";

const ORIGIN = "musette.test/log";
const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const subjectKey = new Uint8Array(32).fill(7);
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

let keyId: Uint8Array;
let vkeys: readonly string[];
let good: Record<string, unknown>;
const consent = {
  accepted: true,
  consented_at: "2026-11-21T10:30:00+01:00",
  evidence: "presented",
  sha256: "ab".repeat(32),
  terms_and_conditions_id: 17,
};

beforeAll(async () => {
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
  const key = Uint8Array.of(1, ...raw);
  keyId = (await sha256(utf8(`${ORIGIN}\n`), key)).subarray(0, 4);
  vkeys = [`${ORIGIN}+${hex(Uint8Array.from(keyId))}+${base64(key)}`];
  good = {
    consents: [consent],
    id: "0193-entry",
    recorded_at: "2026-11-21T09:30:00.123Z",
    subject: await hmacSha256Hex(subjectKey, "rider-fictional-1"),
    user_type: "RIDER",
    v: 1,
  };
});

/** A log that signs whatever it is given: so what follows is refused for the entry alone. */
async function receiptFor(entry: string): Promise<SignedReceipt> {
  const text = `${ORIGIN}\n1\n${base64(await leafHash(entry))}\n`;
  const signature = base64(Buffer.concat([keyId, sign(null, Buffer.from(text), privateKey)]));
  return {
    id: "unguessable",
    index: 0,
    entry,
    proof: `c2sp.org/tlog-proof@v1\nindex 0\n\n${text}\n\u2014 ${ORIGIN} ${signature}\n`,
    subject_key: Buffer.from(subjectKey).toString("base64url"),
  };
}

async function codeOf(receipt: unknown, userId?: string): Promise<RefusalCode | "ok"> {
  const verified = await verifyReceipt(receipt, { vkeys, userId });
  return verified.ok ? "ok" : verified.code;
}

it("gives back what the entry says, and under which head", async () => {
  const receipt = await receiptFor(JSON.stringify(good));
  const verified = await verifyReceipt(receipt, { vkeys, userId: "rider-fictional-1" });
  expect(verified).toMatchObject({
    ok: true,
    index: 0,
    subject: "matches",
    entry: good,
    checkpoint: { origin: ORIGIN, size: 1 },
  });
});

it("takes every member that an entry may have", async () => {
  const { accepted, consented_at, evidence, ...rest } = consent;
  const choice = { last_page: 3, method: "tick", opened: true };
  const full = { accepted, consented_at, evidence, ...choice, ...rest };
  const { id, recorded_at, subject, user_type, v } = good;
  const entry = JSON.stringify({
    app: "\u{1f6b2}".repeat(200),
    consents: [full],
    continues: "0192-earlier",
    ...{ id, locale: "ar-EG", recorded_at, subject, user_type, v },
  });
  expect(await codeOf(await receiptFor(entry))).toBe("ok");
});

it.each<[string, (text: string) => string]>([
  ["a member out of order", (it) => it.replace(/^\{(.*),"v":1\}$/, '{"v":1,$1}')],
  ["a member twice", (it) => it.replace('"v":1', '"v":1,"v":1')],
  ["an unknown member", (it) => it.replace('"v":1', '"v":1,"w":1')],
  ["an unknown member without a name", (it) => it.replace("{", '{"":1,')],
  ["a member of the prototype", (it) => it.replace("{", '{"__proto__":{},')],
  ["a missing member", (it) => it.replace(',"v":1', "")],
  ["a newer version", (it) => it.replace('"v":1', '"v":2')],
  ["another spelling of a number", (it) => it.replace('"v":1', '"v":1.0')],
  ["another spelling of a text", (it) => it.replace("RIDER", "\\u0052IDER")],
  ["half a character, escaped", (it) => it.replace("{", '{"app":"\\ud800",')],
  ["null for nothing", (it) => it.replace("{", '{"app":null,')],
  ["a claim", (it) => it.replace('"recorded_at"', '"kind":"claim","recorded_at"')],
  ["no consents", (it) => it.replace(/\[.*\]/, "[]")],
  ["a term twice", (it) => it.replace(/\[(.*)\]/, "[$1,$1]")],
  ["a consent that is none", (it) => it.replace(/\[.*\]/, "[null]")],
  ["a day without a time", (it) => it.replace("T10:30:00+01:00", "")],
  ["a day of ours that is none", (it) => it.replace("11-21T09", "02-30T09")],
  ["our time in another zone", (it) => it.replace("09:30:00.123Z", "09:30:00.123+00:00")],
  ["an upper-case hash", (it) => it.replace("abab", "ABAB")],
  ["a negative term", (it) => it.replace(":17", ":-17")],
  ["text behind the end", (it) => `${it} `],
  ["a text that is no JSON", () => "entry"],
  ["a list", () => "[]"],
  ["brackets without end", () => "[".repeat(60_000)],
  ["more than a bundle holds", (it) => it.replace("RIDER", "R".repeat(66_000))],
])("refuses an entry with %s", async (_, change) => {
  const text = JSON.stringify(good);
  const changed = change(text);
  expect(changed).not.toBe(text);
  expect(await codeOf(await receiptFor(changed))).toBe("malformed");
});

it("refuses half a character, which would be hashed as another one", async () => {
  const entry = JSON.stringify({ app: "\ufffd", ...good });
  const receipt = await receiptFor(entry);
  expect(await codeOf(receipt)).toBe("ok");
  expect(await codeOf({ ...receipt, entry: entry.replace("\ufffd", "\ud800") })).toBe("malformed");
});

it.each<[string, unknown]>([
  ["nothing", undefined],
  ["null", null],
  ["a number", 1],
  ["a text that is no JSON", "receipt"],
  ["an older server's", { id: "unguessable" }],
  ["a list", []],
])("refuses %s as a receipt", async (_, receipt) => {
  expect(await codeOf(receipt)).toBe("malformed");
});

it("names what is wrong", async () => {
  const receipt = await receiptFor(JSON.stringify(good));
  const codes = {
    other: await codeOf(receipt, "rider-fictional-2"),
    changed: await codeOf({ ...receipt, entry: receipt.entry.replace("true", "false") }),
    index: await codeOf({ ...receipt, index: 1 }),
    subject: await codeOf({ ...receipt, subject_key: `${receipt.subject_key}=` }),
    stray: await codeOf({ ...receipt, subject_key: receipt.subject_key.replace(/.$/, "d") }),
    origin: await codeOf({ ...receipt, proof: receipt.proof.replace("\n1\n", "\n2\n") }),
  };
  expect(codes).toEqual({
    other: "other_person",
    changed: "not_in_log",
    index: "malformed",
    subject: "malformed",
    stray: "malformed",
    origin: "bad_signature",
  });
  const stranger = { vkeys: ["w.test+00000000+BAQEBAQE", " "] };
  expect(await verifyReceipt(receipt, stranger)).toMatchObject({ code: "unknown_signer" });
  expect(await verifyReceipt(receipt, { vkeys: ["key"] })).toMatchObject({ code: "bad_key" });
});

it("takes an applicant's by the receipt number, from whoever holds it", async () => {
  const subject = await hmacSha256Hex(subjectKey, "unguessable");
  const receipt = await receiptFor(JSON.stringify({ ...good, subject, user_type: "APPLICANT" }));
  expect(await codeOf(receipt)).toBe("ok");
  expect(await codeOf({ ...receipt, id: "guessed" })).toBe("other_person");
  expect(await codeOf(receipt, "rider-fictional-1")).toBe("applicant_receipt");
});

it("says so where the browser cannot check, instead of blaming the receipt", async () => {
  const receipt = await receiptFor(JSON.stringify(good));
  vi.spyOn(crypto.subtle, "importKey").mockRejectedValue(
    new DOMException("Unrecognized name.", "NotSupportedError"),
  );
  expect(await codeOf(receipt)).toBe("unsupported");
  vi.stubGlobal("crypto", {});
  expect(await codeOf(receipt)).toBe("unsupported");
});
