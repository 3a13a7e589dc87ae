import { utf8 } from "./encoding";

/**
 * RFC 8785: the one text of a JSON value. A text that is not its own canonical form has members out
 * of order, doubled, or spelled in another way than the one that was hashed.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value === "object" && value !== null) {
    // Sorted as this language sorts: by UTF-16 code units, which is what the RFC asks for.
    const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${members.map(([name, held]) => `${canonicalJson(name)}:${canonicalJson(held)}`).join()}}`;
  }
  // `stringify` would write half a surrogate pair as an escape.
  if (typeof value === "string") utf8(value);
  return JSON.stringify(value);
}
