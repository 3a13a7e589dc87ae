import type { FlagsDocument } from "../environment/document";

const USUAL = ["userId", "key", "anonymousId", "email", "googleClientId"];

/** What people may be drawn by: what everybody has, what this environment names, and what is chosen. */
export function unitsOf({ attributes }: FlagsDocument, chosen: string) {
  const own = attributes.filter(({ type }) => type === "string").map(({ name }) => name);
  return [...new Set([...USUAL, ...own, chosen])].map((it) => ({ value: it, words: it }));
}
