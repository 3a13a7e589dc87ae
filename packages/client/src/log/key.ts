import { type Bytes, fromBase64, hex, utf8 } from "./encoding";
import { sha256, subtle } from "./hash";
import { importMlDsa, type VerifyTimed } from "./ml-dsa";
import { fail } from "./refusal";

/** The signature type of Ed25519 cosignatures, which also sign a time. */
const COSIGNATURE = 4;
/** The signature type of ML-DSA-44 cosignatures, which not all browsers can verify. */
const ML_DSA_44 = 6;
const TIME_BYTES = 8;
const NEWLINE = Uint8Array.of(10);
/** The signature type of plain Ed25519, also the first byte of such a key. */
const ED25519 = 1;
const NAME_BYTES_MAX = 255;

/** The key of a signer that the caller trusts. */
export interface VerifierKey {
  readonly name: string;
  readonly id: string;
  readonly isMlDsa: boolean;
  /** Returns undefined if the browser cannot verify signatures of this type. */
  readonly verifies: (text: string, signature: Bytes) => Promise<boolean | undefined>;
}

export function isKeyName(name: string): boolean {
  return /^[^\p{White_Space}\p{Cc}+]+$/u.test(name) && utf8(name).length <= NAME_BYTES_MAX;
}

/**
 * Reads the keys of C2SP vkey lines. Skips blank lines and unknown key types, because a list of witnesses
 * may contain newer types.
 */
export async function readKeys(vkeys: readonly string[]): Promise<readonly VerifierKey[]> {
  const lines = vkeys.map((line) => line.trim()).filter((line) => line !== "");
  const keys = await Promise.all(lines.map(readKey));
  return keys.filter((key) => key !== undefined);
}

/** The key of a witness. */
export interface CosignerKey {
  readonly name: string;
  readonly id: string;
  /** Returns the signed time in seconds since 1970; undefined if the signature is invalid. */
  readonly verifiedTime: (text: string, signature: Bytes) => Promise<bigint | undefined>;
}

/** Reads the key of a log; undefined if its type is unknown. */
export async function readKey(vkey: string): Promise<VerifierKey | undefined> {
  const { name, id, key } = await readParts(vkey, [ED25519, ML_DSA_44]);
  if (key[0] === ML_DSA_44) {
    const verifiedTime = await importTimed(name, key);
    const verifies = async (text: string, signature: Bytes) =>
      verifiedTime && (await verifiedTime(text, signature)) !== undefined;
    return { name, id, isMlDsa: true, verifies };
  }
  if (key[0] !== ED25519) return undefined;
  const imported = await importEd25519(key.slice(1));
  return {
    name,
    id,
    isMlDsa: false,
    verifies: (text, signature) => subtle().verify("Ed25519", imported, signature, utf8(text)),
  };
}

/** Reads the key of a witness; undefined if the browser cannot verify its type. */
export async function readCosigner(vkey: string): Promise<CosignerKey | undefined> {
  const { name, id, key } = await readParts(vkey, [COSIGNATURE, ML_DSA_44]);
  if (key[0] !== COSIGNATURE && key[0] !== ML_DSA_44)
    fail("bad_key", "the key is not of a witness");
  const verifiedTime = await importTimed(name, key);
  return verifiedTime && { name, id, verifiedTime };
}

/** Imports a key whose signatures contain a time; undefined if the browser cannot verify its type. */
async function importTimed(
  name: string,
  key: Bytes,
): Promise<CosignerKey["verifiedTime"] | undefined> {
  const bytes = key.slice(1);
  const verifies =
    key[0] === ML_DSA_44 ? await importMlDsa(name, bytes) : await importCosignature(bytes);
  if (!verifies) return undefined;
  return async (text, signature) => {
    if (signature.length <= TIME_BYTES) return undefined;
    const time = new DataView(signature.buffer, signature.byteOffset).getBigUint64(0);
    return (await verifies(text, time, signature.slice(TIME_BYTES))) ? time : undefined;
  };
}

async function importCosignature(key: Bytes): Promise<VerifyTimed> {
  const imported = await importEd25519(key);
  return (text, time, signature) =>
    subtle().verify("Ed25519", imported, signature, utf8(`cosignature/v1\ntime ${time}\n${text}`));
}

/** Reads a vkey line. The id of a type that is not in `kinds` is not checked: it may be computed in another way. */
async function readParts(vkey: string, kinds: readonly number[]) {
  const [, name, id, base64] = /^([^+]*)\+([^+]*)\+(.*)$/s.exec(vkey) ?? [];
  const key = fromBase64(base64 ?? "");
  if (!name || !id || !key?.length || !isKeyName(name)) {
    return fail("bad_key", "the key does not have the form <name>+<id>+<base64>");
  }
  if (!kinds.includes(key[0] ?? 0)) return { name, id, key };
  const digest = await sha256(utf8(name), NEWLINE, key);
  if (hex(digest.subarray(0, 4)) !== id)
    fail("bad_key", "the id of the key does not match its name and bytes");
  return { name, id, key };
}

async function importEd25519(key: Bytes): Promise<CryptoKey> {
  try {
    return await subtle().importKey("raw", key, "Ed25519", false, ["verify"]);
  } catch (error) {
    // Chrome before 137, Firefox before 129 and Safari before 17 do not support Ed25519.
    if (error instanceof DOMException && error.name === "NotSupportedError") {
      return fail("unsupported", "this browser does not support Ed25519");
    }
    return fail("bad_key", "the bytes are not an Ed25519 key");
  }
}
