/**
 * Returns the bucket of a hash input, 0 to 99,999. It is the flag service's algorithm, for
 * verifying assignments elsewhere. `input` is, for example, `v:{seed}:{unit}`.
 */
export function bucket(input: string): number {
  return Math.floor((murmur3(new TextEncoder().encode(input)) * 100_000) / 2 ** 32);
}

/** `murmur3_x86_32` with seed 0. */
export function murmur3(bytes: Uint8Array): number {
  let hash = 0;
  const whole = bytes.length & ~3;
  for (let at = 0; at < whole; at += 4) {
    hash ^= scrambled(word(bytes, at, 4));
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  hash ^= scrambled(word(bytes, whole, bytes.length - whole)) ^ bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function word(bytes: Uint8Array, at: number, count: number): number {
  let word = 0;
  for (let byte = count - 1; byte >= 0; byte -= 1) word = (word << 8) | (bytes[at + byte] ?? 0);
  return word;
}

function scrambled(block: number): number {
  const product = Math.imul(block, 0xcc9e2d51);
  return Math.imul((product << 15) | (product >>> 17), 0x1b873593);
}
