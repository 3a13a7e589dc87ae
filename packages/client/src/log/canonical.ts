import { utf8 } from "./encoding";

/**
 * Returns the canonical text of a JSON value (RFC 8785). If a text differs from its canonical form, its
 * members are out of order, duplicated, or spelled differently from the hashed text.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value === "object" && value !== null) {
    // JavaScript compares strings by UTF-16 code units, as the RFC requires.
    const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${members.map(([name, member]) => `${canonicalJson(name)}:${canonicalJson(member)}`).join()}}`;
  }
  // Throws for a lone surrogate, which `JSON.stringify` would write as an escape.
  if (typeof value === "string") utf8(value);
  return JSON.stringify(value);
}
