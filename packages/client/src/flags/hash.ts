/** 32 well mixed bits of a text, by the steps of murmur3. Names things; keeps no secret. */
function word(text: string, seed: number): number {
  let bits = seed;
  for (let at = 0; at < text.length; at += 1) {
    bits ^= Math.imul(text.charCodeAt(at), 0xcc9e2d51);
    bits = Math.imul((bits << 13) | (bits >>> 19), 5) + 0xe6546b64;
  }
  bits = Math.imul(bits ^ text.length ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** 32 bits a word, in hexadecimal. Not `crypto.subtle`, which is asynchronous and not on http. */
export function digest(text: string, words = 2): string {
  let hex = "";
  for (let at = 1; at <= words; at += 1) {
    hex += word(text, Math.imul(at, 0x9e3779b1)).toString(16).padStart(8, "0");
  }
  return hex;
}

/** The same UUID (version 8, RFC 9562) for the same text. */
export function namedUuid(text: string): string {
  return digest(text, 4).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-8$3-a$4-$5");
}
