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
let validEntry: Record<string, unknown>;
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
  validEntry = {
    consents: [consent],
    id: "0193-entry",
    recorded_at: "2026-11-21T09:30:00.123Z",
    subject: await hmacSha256Hex(subjectKey, "rider-fictional-1"),
    user_type: "RIDER",
    v: 1,
  };
});

/** Signs any entry, so that a receipt can only be rejected because of its entry. */
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

it("returns the entry and the checkpoint of the log", async () => {
  const receipt = await receiptFor(JSON.stringify(validEntry));
  const verified = await verifyReceipt(receipt, { vkeys, userId: "rider-fictional-1" });
  expect(verified).toMatchObject({
    ok: true,
    index: 0,
    subject: "matches",
    entry: validEntry,
    checkpoint: { origin: ORIGIN, size: 1 },
  });
});

it("accepts every member that an entry may have", async () => {
  const { accepted, consented_at, evidence, ...rest } = consent;
  const choice = { last_page: 3, method: "tick", opened: true };
  const full = { accepted, consented_at, evidence, ...choice, ...rest };
  const { id, recorded_at, subject, user_type, v } = validEntry;
  const entry = JSON.stringify({
    app: "\u{1f6b2}".repeat(200),
    consents: [full],
    continues: "0192-earlier",
    ...{ id, locale: "ar-EG", recorded_at, subject, user_type, v },
  });
  expect(await codeOf(await receiptFor(entry))).toBe("ok");
});

it.each<[string, (text: string) => string]>([
  ["a member out of order", (text) => text.replace(/^\{(.*),"v":1\}$/, '{"v":1,$1}')],
  ["a member twice", (text) => text.replace('"v":1', '"v":1,"v":1')],
  ["an unknown member", (text) => text.replace('"v":1', '"v":1,"w":1')],
  ["an unknown member without a name", (text) => text.replace("{", '{"":1,')],
  ["a member of the prototype", (text) => text.replace("{", '{"__proto__":{},')],
  ["a missing member", (text) => text.replace(',"v":1', "")],
  ["a newer version", (text) => text.replace('"v":1', '"v":2')],
  ["another spelling of a number", (text) => text.replace('"v":1', '"v":1.0')],
  ["another spelling of a text", (text) => text.replace("RIDER", "\\u0052IDER")],
  ["an escaped lone surrogate", (text) => text.replace("{", '{"app":"\\ud800",')],
  ["null for nothing", (text) => text.replace("{", '{"app":null,')],
  ["a claim", (text) => text.replace('"recorded_at"', '"kind":"claim","recorded_at"')],
  ["no consents", (text) => text.replace(/\[.*\]/, "[]")],
  ["a term twice", (text) => text.replace(/\[(.*)\]/, "[$1,$1]")],
  ["a consent that is null", (text) => text.replace(/\[.*\]/, "[null]")],
  ["a day without a time", (text) => text.replace("T10:30:00+01:00", "")],
  ["a server date that does not exist", (text) => text.replace("11-21T09", "02-30T09")],
  [
    "a server time in another time zone",
    (text) => text.replace("09:30:00.123Z", "09:30:00.123+00:00"),
  ],
  ["an upper-case hash", (text) => text.replace("abab", "ABAB")],
  ["a negative term", (text) => text.replace(":17", ":-17")],
  ["text after the end", (text) => `${text} `],
  ["a text that is not JSON", () => "entry"],
  ["a list", () => "[]"],
  ["deeply nested brackets", () => "[".repeat(60_000)],
  ["more bytes than a bundle can hold", (text) => text.replace("RIDER", "R".repeat(66_000))],
])("rejects an entry with %s", async (_, change) => {
  const text = JSON.stringify(validEntry);
  const changed = change(text);
  expect(changed).not.toBe(text);
  expect(await codeOf(await receiptFor(changed))).toBe("malformed");
});

it("rejects a lone surrogate, which would be hashed as another character", async () => {
  const entry = JSON.stringify({ app: "\ufffd", ...validEntry });
  const receipt = await receiptFor(entry);
  expect(await codeOf(receipt)).toBe("ok");
  expect(await codeOf({ ...receipt, entry: entry.replace("\ufffd", "\ud800") })).toBe("malformed");
});

it.each<[string, unknown]>([
  ["nothing", undefined],
  ["null", null],
  ["a number", 1],
  ["a text that is not JSON", "receipt"],
  ["a receipt of an older server", { id: "unguessable" }],
  ["a list", []],
])("rejects %s as a receipt", async (_, receipt) => {
  expect(await codeOf(receipt)).toBe("malformed");
});

it("returns the code of the error", async () => {
  const receipt = await receiptFor(JSON.stringify(validEntry));
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
  const otherSigner = { vkeys: ["w.test+00000000+BAQEBAQE", " "] };
  expect(await verifyReceipt(receipt, otherSigner)).toMatchObject({ code: "unknown_signer" });
  expect(await verifyReceipt(receipt, { vkeys: ["key"] })).toMatchObject({ code: "bad_key" });
});

it("verifies an applicant's receipt by its id, without a user id", async () => {
  const subject = await hmacSha256Hex(subjectKey, "unguessable");
  const receipt = await receiptFor(
    JSON.stringify({ ...validEntry, subject, user_type: "APPLICANT" }),
  );
  expect(await codeOf(receipt)).toBe("ok");
  expect(await codeOf({ ...receipt, id: "guessed" })).toBe("other_person");
  expect(await codeOf(receipt, "rider-fictional-1")).toBe("applicant_receipt");
});

it("returns unsupported if the browser lacks the needed cryptography", async () => {
  const receipt = await receiptFor(JSON.stringify(validEntry));
  vi.spyOn(crypto.subtle, "importKey").mockRejectedValue(
    new DOMException("Unrecognized name.", "NotSupportedError"),
  );
  expect(await codeOf(receipt)).toBe("unsupported");
  vi.stubGlobal("crypto", {});
  expect(await codeOf(receipt)).toBe("unsupported");
});
