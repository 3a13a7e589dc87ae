import { refuse } from "./refusal";

export type Bytes = Uint8Array<ArrayBuffer>;

export function utf8(text: string): Bytes {
  // Half a surrogate pair has no UTF-8: it would be hashed as another character than the one read.
  if (/\p{Cs}/u.test(text)) refuse("malformed", "half a character");
  return new TextEncoder().encode(text);
}

/** `undefined` unless it is the one spelling: `atob` also takes blanks, lost padding, stray bits. */
export function fromBase64(text: string): Bytes | undefined {
  try {
    const binary = atob(text);
    if (btoa(binary) !== text) return undefined;
    return Uint8Array.from(binary, (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Decodes base64url without padding; undefined when the text is not that. */
export function fromBase64Url(text: string): Bytes | undefined {
  if (/[^\w-]/.test(text)) return undefined;
  const padding = "=".repeat(-text.length & 3);
  return fromBase64(text.replaceAll("-", "+").replaceAll("_", "/") + padding);
}

export function hex(bytes: Bytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The C2SP formats write numbers in one spelling only; beyond 2^53 this language has no exact one. */
export function numeral(text: string | undefined): number | undefined {
  const number = /^(0|[1-9]\d*)$/.test(text ?? "") ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse("malformed", "not JSON");
  }
}
