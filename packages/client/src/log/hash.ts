import { type Bytes, fromBase64, hex, utf8 } from "./encoding";
import { refuse } from "./refusal";

export const HASH_BYTES = 32;

/** Only on pages that came over TLS or from this machine. */
export function subtle(): SubtleCrypto {
  return globalThis.crypto?.subtle ?? refuse("unsupported", "no WebCrypto: the page is not secure");
}

export async function sha256(...parts: readonly Bytes[]): Promise<Bytes> {
  const whole = Uint8Array.from(parts.flatMap((part) => Array.from(part)));
  return new Uint8Array(await subtle().digest("SHA-256", whole));
}

// RFC 6962 §2.1. The prefixes keep a node from passing for a leaf.
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/**
 * Hashes the text of an entry to its Merkle leaf (RFC 9162 §2.1.1).
 *
 * @throws when the browser has no `crypto.subtle`, as on plain http.
 */
export function leafHash(entry: string): Promise<Bytes> {
  return sha256(LEAF, utf8(entry));
}

export function nodeHash(left: Bytes, right: Bytes): Promise<Bytes> {
  return sha256(NODE, left, right);
}

/** `undefined` unless it is the base64 of exactly one hash. */
export function hashFromBase64(text: string | undefined): Bytes | undefined {
  const bytes = fromBase64(text ?? "");
  return bytes?.length === HASH_BYTES ? bytes : undefined;
}

export function isSameHash(one: Bytes, other: Bytes): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

export async function hmacSha256Hex(key: Bytes, text: string): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await subtle().importKey("raw", key, algorithm, false, ["sign"]);
  return hex(new Uint8Array(await subtle().sign("HMAC", imported, utf8(text))));
}
