import { readStored, writeStored } from "../storage/storage";

const NAME = "musette.visitor";

/**
 * Returns the random ID of a person without an account. The app sends it after the sign-in as well,
 * so an applicant who becomes a rider keeps the same variations.
 */
export function visitorId(): string {
  const stored = readStored("localStorage", NAME);
  if (stored) return stored;
  // `randomUUID` does not exist on an insecure page.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const created = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  writeStored("localStorage", NAME, created);
  return created;
}
