import { readStored, writeStored } from "../storage/storage";

const NAME = "musette.visitor";

/**
 * A random number for whoever has no account yet. It goes along after the sign-in too, so that an
 * applicant who becomes a rider goes on to see what was decided for the applicant.
 */
export function visitorId(): string {
  const known = readStored("localStorage", NAME);
  if (known) return known;
  // Not randomUUID: it is missing where the page is not secure.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const made = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  writeStored("localStorage", NAME, made);
  return made;
}
