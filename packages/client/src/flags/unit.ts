import type { FlagResult } from "./flag-client";
import type { Person } from "./person";

/** The value that somebody is counted by; none where nobody was drawn. Without a result, the first. */
export function unitOf(
  { user, identity, relevant }: Person,
  result?: FlagResult,
  drawnBy?: string,
): string | undefined {
  const among = result ? relevant(result) : identity;
  const names = drawnBy ? [drawnBy] : identity.filter((name) => among.includes(name));
  return names.map((name) => `${user[name] ?? ""}`).find((unit) => unit);
}
