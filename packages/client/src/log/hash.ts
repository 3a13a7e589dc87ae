import { type Bytes, fromBase64, hex, utf8 } from "./encoding";
import { fail } from "./refusal";

export const HASH_BYTES = 32;

/** Returns WebCrypto, which browsers provide only to secure pages (TLS or localhost). */
export function subtle(): SubtleCrypto {
  return (
    globalThis.crypto?.subtle ??
    fail("unsupported", "the page is not secure, so the browser provides no WebCrypto")
  );
}

export async function sha256(...parts: readonly Bytes[]): Promise<Bytes> {
  const whole = Uint8Array.from(parts.flatMap((part) => Array.from(part)));
  return new Uint8Array(await subtle().digest("SHA-256", whole));
}

// The prefixes of RFC 6962 §2.1. Because of them, a node can never be taken for a leaf.
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/**
 * Returns the Merkle leaf hash of an entry's text (RFC 9162 §2.1.1).
 *
 * @throws if the browser has no `crypto.subtle`, as on plain HTTP.
 */
export function leafHash(entry: string): Promise<Bytes> {
  return leafOfBytes(utf8(entry));
}

/** Returns the Merkle leaf hash of bytes. */
export function leafOfBytes(bytes: Bytes): Promise<Bytes> {
  return sha256(LEAF, bytes);
}

export function nodeHash(left: Bytes, right: Bytes): Promise<Bytes> {
  return sha256(NODE, left, right);
}

/** Decodes the base64 of one hash; undefined for any other text. */
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
