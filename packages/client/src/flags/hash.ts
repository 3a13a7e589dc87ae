/** Returns a 64-bit hash of a JSON value. `crypto.subtle` is asynchronous and not available on plain HTTP. */
export function hash(value: unknown): string {
  const text = JSON.stringify(value);
  let [high, low] = [0x9e3779b1, 0x85ebca6b];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit ^ (high >>> 15), 0xc2b2ae35);
    low = Math.imul(low ^ unit ^ (low >>> 13), 0x27d4eb2f);
  }
  return (high >>> 0).toString(36) + (low >>> 0).toString(36).padStart(7, "0");
}
