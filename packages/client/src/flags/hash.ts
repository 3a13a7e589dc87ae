/** 32 well mixed bits of a text, by the steps of murmur3. Names things; keeps no secret. */
function word(text: string, seed: number): number {
  let bits = seed;
  for (let at = 0; at < text.length; at += 1) {
    bits ^= Math.imul(text.charCodeAt(at), 0xcc9e2d51);
    bits = Math.imul((bits << 13) | (bits >>> 19), 5) + 0xe6546b64;
  }
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** 128 bits. Not `crypto.subtle`, which is asynchronous, and is not there on http. */
export function digest(value: unknown): string {
  const text = JSON.stringify(value);
  return [1, 2, 3, 4].map((seed) => word(text, seed * 0x9e3779b1).toString(36)).join("-");
}
