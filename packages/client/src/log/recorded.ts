import { canonicalJson } from "./canonical";
import type { Checkpoint } from "./checkpoint";
import { type Bytes, fromBase64Url, hex, parseJson, utf8 } from "./encoding";
import { HASH_BYTES, hmacSha256Hex, leafOfBytes, sha256 } from "./hash";
import { verifyInclusion } from "./merkle";
import type { MlDsa } from "./note";
import { fail, type Refusal, toResult } from "./refusal";
import { checkProof, type VerifyOptions } from "./tlog-proof";

type Members = Readonly<Partial<Record<string, unknown>>>;

/** Salts are in base64url in receipts of decisions, and in hex in proofs of messages. */
const HEX = /^[\da-f]{64}$/;

/** A transition of an evaluation or a restriction, in the format of the log. */
export interface LoggedDecision {
  readonly type: "evaluation.transition" | "restriction.transition";
  readonly version: number;
  readonly from?: string;
  readonly to: string;
  readonly by: { readonly kind: string; readonly ref?: string };
  readonly system?: { readonly name: string; readonly version: string };
  readonly commitment: string;
  /** The id of the evaluation, under the subject's key. */
  readonly evaluation?: string;
  /** The id of the restriction, under the subject's key. */
  readonly restriction?: string;
  readonly subject: string;
  /** The time of the server's clock. */
  readonly recorded_at: string;
}

/** The opening of a notice, in the format of the log. */
export interface LoggedOpening {
  readonly type: "notice.opened";
  readonly terms_and_conditions_id: number;
  /** SHA-256 in hex of the exact document that was shown. */
  readonly sha256: string;
  readonly locale?: string;
  /** The time of the device's clock. */
  readonly opened_at: string;
  readonly subject: string;
  readonly recorded_at: string;
}

/** A verified receipt and its content. */
export interface Verified<Entry> {
  readonly ok: true;
  readonly index: number;
  readonly entry: Entry;
  /** The signed head of the log that includes the entry. */
  readonly checkpoint: Checkpoint;
  readonly mlDsa: MlDsa;
}

/** A verified receipt of a decision, with the record that the entry commits to. */
export interface VerifiedDecision extends Verified<LoggedDecision> {
  readonly record: Members;
}

/** The proved facts about a message of a campaign. */
export interface MessageRecord {
  readonly message: string;
  readonly campaign: string;
  readonly step: number;
  readonly channel: string;
  readonly locale: string;
  /** SHA-256 in hex of the exact text. */
  readonly sha256: string;
  /** The time of the first attempt. */
  readonly sent_at: string;
  readonly subject: string;
}

/** A verified message, with the entry of its batch. */
export interface VerifiedMessage extends Verified<LoggedBatch> {
  readonly record: MessageRecord;
}

/** A batch of messages, in the format of the log. */
export interface LoggedBatch {
  readonly type: "notice.batch";
  readonly campaign: string;
  readonly step: number;
  readonly channel: string;
  readonly count: number;
  readonly root: string;
  readonly recorded_at: string;
}

/** Options of `verifyOpeningReceipt`: the user and the trusted keys. */
export interface OpeningOptions extends VerifyOptions {
  /** The user id that the entry must belong to; undefined to check no owner. */
  readonly userId?: string | undefined;
}

/**
 * Verifies the receipt of a version of an evaluation or a restriction without the server.
 *
 * @param receipt - The object, or the text of its file.
 * @returns A `Refusal` with a code if a check fails.
 */
export function verifyDecisionReceipt(
  receipt: unknown,
  options: VerifyOptions,
): Promise<VerifiedDecision | Refusal> {
  return toResult(async () => {
    const members = read(receipt);
    const proven = await prove<LoggedDecision>(members, options);
    const { entry } = proven;
    if (!["evaluation.transition", "restriction.transition"].includes(entry.type)) {
      fail("malformed", "the entry is not a decision about a person");
    }
    const record = members.record as Members | undefined;
    const commitment = await commitmentOf(bytesOf(members.salt), record);
    if (!record || hex(commitment) !== entry.commitment || !isRecordOf(record, entry)) {
      return fail("not_in_log", "the record is not the one that was logged");
    }
    const key = bytesOf(members.subject_key);
    const isOfPerson =
      (await hmacSha256Hex(key, String(record.user_id))) === entry.subject &&
      (await hmacSha256Hex(key, String(record.id))) === (entry.evaluation ?? entry.restriction);
    if (!isOfPerson) fail("other_person", "the entry belongs to another person");
    return { ...proven, record };
  });
}

/**
 * Verifies the receipt of an opened notice without the server.
 *
 * @param receipt - The object, as in `notice_openings` of the person's data, or its text.
 * @returns A `Refusal` with a code if a check fails.
 */
export function verifyOpeningReceipt(
  receipt: unknown,
  options: OpeningOptions,
): Promise<Verified<LoggedOpening> | Refusal> {
  return toResult(async () => {
    const members = read(receipt);
    const proven = await prove<LoggedOpening>(members, options);
    if (proven.entry.type !== "notice.opened") {
      fail("malformed", "the entry is not the opening of a notice");
    }
    const key = bytesOf(members.subject_key);
    const { userId } = options;
    if (userId !== undefined && (await hmacSha256Hex(key, userId)) !== proven.entry.subject) {
      fail("other_person", "the entry belongs to another person");
    }
    return proven;
  });
}

/**
 * Verifies the proof of one message of a campaign without the server. It has no key, so it does not show who the
 * recipient is: compare `record.subject`.
 *
 * @param proof - The object, or the text of its file.
 * @returns A `Refusal` with a code if a check fails.
 */
export function verifyMessageProof(
  proof: unknown,
  options: VerifyOptions,
): Promise<VerifiedMessage | Refusal> {
  return toResult(async () => {
    const members = read(proof);
    const proven = await prove<LoggedBatch>(members, options);
    const { entry } = proven;
    if (entry.type !== "notice.batch") fail("malformed", "the entry is not a batch of messages");
    const record = members.record as MessageRecord | undefined;
    const { index, count, root, path } = members;
    const isOfEntry =
      record?.campaign === entry.campaign &&
      record.step === entry.step &&
      record.channel === entry.channel &&
      root === entry.root &&
      count === entry.count;
    if (!isOfEntry || !Array.isArray(path) || !Number.isSafeInteger(index)) {
      return fail("not_in_log", "the proof differs from the entry of its batch");
    }
    const commitment = await commitmentOf(fromHex(members.salt), record);
    const inclusion = {
      size: entry.count,
      root: fromHex(root),
      index: Number(index),
      leaf: await leafOfBytes(commitment),
      path: path.map(fromHex),
    };
    if (!(await verifyInclusion(inclusion))) {
      fail("not_in_log", "the path does not lead to the root of the batch");
    }
    return { ...proven, record };
  });
}

function read(receipt: unknown): Members {
  const value = typeof receipt === "string" ? parseJson(receipt) : receipt;
  return { ...(value as object | null) };
}

/** Verifies that the entry is in the log, and returns it. */
async function prove<Entry>(
  { entry, proof }: Members,
  options: VerifyOptions,
): Promise<Verified<Entry>> {
  if (typeof entry !== "string" || typeof proof !== "string") {
    return fail("malformed", "the text has no entry or no proof");
  }
  const { index, checkpoint, mlDsa } = await checkProof(proof, entry, options);
  const value = parseJson(entry);
  if (canonicalJson(value) !== entry) fail("malformed", "the entry is not canonical");
  return { ok: true, index, entry: value as Entry, checkpoint, mlDsa };
}

/** The members that record and entry have in common. */
function isRecordOf(record: Members, entry: LoggedDecision): boolean {
  const by = record.by as Members | null | undefined;
  return (
    record.type === entry.type &&
    record.version === entry.version &&
    (record.from ?? null) === (entry.from ?? null) &&
    record.to === entry.to &&
    by?.kind === entry.by.kind &&
    canonicalJson(record.system ?? null) === canonicalJson(entry.system ?? null)
  );
}

/** Returns SHA-256 of the salt and the RFC 8785 form of the record. */
function commitmentOf(salt: Bytes, record: unknown): Promise<Bytes> {
  return sha256(salt, utf8(canonicalJson(record ?? null)));
}

function bytesOf(text: unknown): Bytes {
  const bytes = typeof text === "string" ? fromBase64Url(text) : undefined;
  return bytes?.length === HASH_BYTES
    ? bytes
    : fail("malformed", "a salt or key is not 32 bytes in base64url");
}

function fromHex(text: unknown): Bytes {
  if (typeof text !== "string" || !HEX.test(text)) {
    return fail("malformed", "a hash or salt is not 32 bytes in lower-case hexadecimal");
  }
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}
