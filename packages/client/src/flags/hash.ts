/** A 64-bit hash of a JSON value. Not `crypto.subtle`, which is asynchronous and missing on plain http. */
export function hash(value: unknown): string {
  const text = JSON.stringify(value);
  let [left, right] = [0x9e3779b1, 0x85ebca6b];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    left = Math.imul(left ^ unit ^ (left >>> 15), 0xc2b2ae35);
    right = Math.imul(right ^ unit ^ (right >>> 13), 0x27d4eb2f);
  }
  return (left >>> 0).toString(36) + (right >>> 0).toString(36).padStart(7, "0");
}
