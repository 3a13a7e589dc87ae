import { type Bytes, fromBase64, hex, utf8 } from "./encoding";
import { sha256, subtle } from "./hash";
import { refuse } from "./refusal";

const NEWLINE = Uint8Array.of(10);
/** The signature type of plain Ed25519, also the first byte of such a key. */
const ED25519 = 1;
const NAME_BYTES_MAX = 255;

/** A signer whom the caller has chosen to believe. */
export interface VerifierKey {
  readonly name: string;
  readonly id: string;
  readonly verifies: (text: string, signature: Bytes) => Promise<boolean>;
}

export function isKeyName(name: string): boolean {
  return /^[^\p{White_Space}\p{Cc}+]+$/u.test(name) && utf8(name).length <= NAME_BYTES_MAX;
}

/**
 * The keys of some C2SP vkey lines. Blank lines are passed over, and so are key types that are not
 * known here: a list of witnesses may name newer ones.
 */
export async function readKeys(vkeys: readonly string[]): Promise<readonly VerifierKey[]> {
  const lines = vkeys.map((line) => line.trim()).filter((line) => line !== "");
  const keys = await Promise.all(lines.map(readKey));
  return keys.filter((key) => key !== undefined);
}

async function readKey(vkey: string): Promise<VerifierKey | undefined> {
  const [, name, id, base64] = /^([^+]*)\+([^+]*)\+(.*)$/s.exec(vkey) ?? [];
  const key = fromBase64(base64 ?? "");
  if (!name || !id || !key?.length || !isKeyName(name)) {
    return refuse("bad_key", "not <name>+<id>+<base64>");
  }
  if (key[0] !== ED25519) return undefined;
  const digest = await sha256(utf8(name), NEWLINE, key);
  if (hex(digest.subarray(0, 4)) !== id) refuse("bad_key", "the id is not that of name and key");
  const imported = await importEd25519(key.slice(1));
  return {
    name,
    id,
    verifies: (text, signature) => subtle().verify("Ed25519", imported, signature, utf8(text)),
  };
}

async function importEd25519(key: Bytes): Promise<CryptoKey> {
  try {
    return await subtle().importKey("raw", key, "Ed25519", false, ["verify"]);
  } catch (error) {
    // Chrome before 137, Firefox before 129, Safari before 17.
    if (error instanceof DOMException && error.name === "NotSupportedError") {
      return refuse("unsupported", "no Ed25519 in this browser");
    }
    return refuse("bad_key", "not an Ed25519 key");
  }
}
