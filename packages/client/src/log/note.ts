import { type Bytes, fromBase64, hex } from "./encoding";
import { isKeyName, type VerifierKey } from "./key";
import { refuse } from "./refusal";

/** At least 16 must be taken; a log with many witnesses has a few dozen. */
const SIGNATURES_MAX = 64;
const KEY_ID_BYTES = 4;

interface NoteSignature {
  readonly name: string;
  readonly id: string;
  readonly bytes: Bytes;
}

export interface VerifiedNote {
  readonly text: string;
  /** The names of the given keys that signed. */
  readonly signers: readonly string[];
}

/**
 * Reads a C2SP signed note. Signatures of anybody else are passed over; one of the given keys' that
 * does not verify spoils the whole note.
 */
export async function openNote(note: string, keys: readonly VerifierKey[]): Promise<VerifiedNote> {
  const { text, signatures } = parseNote(note);
  const signers: string[] = [];
  for (const { name, id, bytes } of signatures) {
    const key = keys.find((known) => known.name === name && known.id === id);
    if (!key) continue;
    if (!(await key.verifies(text, bytes))) {
      refuse("bad_signature", `the signature of ${name} does not verify`);
    }
    signers.push(name);
  }
  if (signers.length === 0) refuse("unknown_signer", "no known key has signed");
  return { text, signers };
}

function parseNote(note: string) {
  // The last empty line parts the text from the signatures; the text may have others.
  const end = note.lastIndexOf("\n\n") + 1;
  const lines = note.slice(end + 1, -1).split("\n");
  const isPlain = Array.from(note).every((char) => char >= " " || char === "\n");
  if (!isPlain || end === 0 || !note.endsWith("\n") || lines.length > SIGNATURES_MAX) {
    refuse("malformed", "not a signed note");
  }
  return { text: note.slice(0, end), signatures: lines.map(parseSignature) };
}

function parseSignature(line: string): NoteSignature {
  const [, name, base64] = /^\u2014 ([^ ]*) (.*)$/u.exec(line) ?? [];
  const bytes = fromBase64(base64 ?? "");
  if (!name || !isKeyName(name) || !bytes || bytes.length <= KEY_ID_BYTES) {
    return refuse("malformed", "not a signature line");
  }
  const id = hex(bytes.subarray(0, KEY_ID_BYTES));
  return { name, id, bytes: bytes.slice(KEY_ID_BYTES) };
}
