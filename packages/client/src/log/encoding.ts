import { fail } from "./refusal";

export type Bytes = Uint8Array<ArrayBuffer>;

export function utf8(text: string): Bytes {
  // A lone surrogate has no UTF-8 form. TextEncoder would replace it, so the hash would be of another text.
  if (/\p{Cs}/u.test(text)) fail("malformed", "the text contains a lone surrogate");
  return new TextEncoder().encode(text);
}

/** Decodes canonical base64; otherwise undefined. `atob` also accepts spaces, missing padding and stray bits. */
export function fromBase64(text: string): Bytes | undefined {
  try {
    const binary = atob(text);
    if (btoa(binary) !== text) return undefined;
    return Uint8Array.from(binary, (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Decodes base64url without padding; undefined for any other text. */
export function fromBase64Url(text: string): Bytes | undefined {
  if (/[^\w-]/.test(text)) return undefined;
  const padding = "=".repeat(-text.length & 3);
  return fromBase64(text.replaceAll("-", "+").replaceAll("_", "/") + padding);
}

export function hex(bytes: Bytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Parses a number in the only form that C2SP allows; undefined otherwise or above 2^53, where it is not exact. */
export function parseInteger(text: string | undefined): number | undefined {
  const number = /^(0|[1-9]\d*)$/.test(text ?? "") ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return fail("malformed", "the text is not JSON");
  }
}
