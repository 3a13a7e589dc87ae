import { fromBase64, hex } from "./encoding";
import { isKeyName, type VerifierKey } from "./key";
import type { Signature } from "./policy";
import { fail } from "./refusal";

/** C2SP requires support for at least 16 signatures. A log with many witnesses has a few dozen. */
const SIGNATURES_MAX = 64;
const KEY_ID_BYTES = 4;

/**
 * Whether a given ML-DSA-44 key, which a quantum computer cannot forge, has signed too. `not_checked`: one has
 * signed, but this browser cannot verify it. `none`: no given key of this type has signed.
 */
export type MlDsa = "verified" | "not_checked" | "none";

export interface VerifiedNote {
  readonly text: string;
  /** The names of the given keys that have signed. */
  readonly signers: readonly string[];
  readonly mlDsa: MlDsa;
  /** All signature lines. Only those of `signers` are verified. */
  readonly signatures: readonly Signature[];
}

/**
 * Reads a C2SP signed note. Ignores signatures of other keys. Rejects the whole note if a signature of one of
 * the given keys is invalid.
 */
export async function openNote(note: string, keys: readonly VerifierKey[]): Promise<VerifiedNote> {
  const { text, signatures } = parseNote(note);
  const signers: string[] = [];
  let mlDsa: MlDsa = "none";
  for (const { name, id, bytes } of signatures) {
    const key = keys.find((candidate) => candidate.name === name && candidate.id === id);
    if (!key) continue;
    const isValid = await key.verifies(text, bytes);
    if (isValid === false) fail("bad_signature", `the signature of ${name} is invalid`);
    if (key.isMlDsa) mlDsa = isValid ? "verified" : "not_checked";
    if (isValid) signers.push(name);
  }
  if (signers.length === 0 && mlDsa === "not_checked")
    fail(
      "unsupported",
      "this browser does not support ML-DSA-44, and no other given key has signed",
    );
  if (signers.length === 0) fail("unknown_signer", "none of the given keys has signed the note");
  return { text, signers, mlDsa, signatures };
}

function parseNote(note: string) {
  // The last empty line separates the text from the signatures. The text may contain empty lines.
  const end = note.lastIndexOf("\n\n") + 1;
  const lines = note.slice(end + 1, -1).split("\n");
  const isPlain = Array.from(note).every((char) => char >= " " || char === "\n");
  if (!isPlain || end === 0 || !note.endsWith("\n") || lines.length > SIGNATURES_MAX) {
    fail("malformed", "the text is not a signed note");
  }
  return { text: note.slice(0, end), signatures: lines.map(parseSignature) };
}

function parseSignature(line: string): Signature {
  const [, name, base64] = /^\u2014 ([^ ]*) (.*)$/u.exec(line) ?? [];
  const bytes = fromBase64(base64 ?? "");
  if (!name || !isKeyName(name) || !bytes || bytes.length <= KEY_ID_BYTES) {
    return fail("malformed", "a signature line is malformed");
  }
  const id = hex(bytes.subarray(0, KEY_ID_BYTES));
  return { name, id, bytes: bytes.slice(KEY_ID_BYTES) };
}
