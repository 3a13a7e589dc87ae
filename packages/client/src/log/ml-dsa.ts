import { type Bytes, utf8 } from "./encoding";
import { hashFromBase64, subtle } from "./hash";

const ALGORITHM = { name: "ML-DSA-44" };
const LABEL = "subtree/v1\n\0";
const UINT64_BYTES = 8;

/** Verifies a signature of a checkpoint's text and of a time. */
export type VerifyTimed = (text: string, time: bigint, signature: Bytes) => Promise<boolean>;

/**
 * Imports an ML-DSA-44 key of FIPS 204; undefined if the browser cannot verify with it. Chromium 156 can: the
 * algorithm is of the draft "Modern Algorithms in the Web Cryptography API".
 */
export async function importMlDsa(name: string, key: Bytes): Promise<VerifyTimed | undefined> {
  let imported: CryptoKey;
  try {
    // The types of TypeScript do not know this format yet.
    imported = await subtle().importKey("raw-public" as "raw", key, ALGORITHM, false, ["verify"]);
  } catch {
    return undefined;
  }
  return async (text, time, signature) => {
    const message = cosignedMessage(name, text, time);
    return message !== undefined && subtle().verify(ALGORITHM, imported, signature, message);
  };
}

/** The structure `cosigned_message` of C2SP tlog-cosignature, of a whole tree; undefined if the text is no checkpoint. */
export function cosignedMessage(name: string, text: string, time: bigint): Bytes | undefined {
  const [, origin = "", size = "", root = ""] = /^(.+)\n(\d{1,16})\n(.+)\n/.exec(text) ?? [];
  const hash = hashFromBase64(root);
  if (!hash) return undefined;
  const [signer, log] = [utf8(name), utf8(origin)];
  const parts = [utf8(LABEL), Uint8Array.of(signer.length), signer, uint64(time)];
  parts.push(Uint8Array.of(log.length), log, uint64(0n), uint64(BigInt(size)), hash);
  const message = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    message.set(part, at);
    at += part.length;
  }
  return message;
}

function uint64(number: bigint): Bytes {
  const bytes = new Uint8Array(UINT64_BYTES);
  new DataView(bytes.buffer).setBigUint64(0, number);
  return bytes;
}
