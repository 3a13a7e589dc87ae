import type { FlagResult } from "./flag-client";
import type { Person } from "./person";

/** Returns the randomization unit of a result; undefined if it has none. Without a result: the default unit. */
export function unitOf(
  { user, attributes }: Person,
  result?: FlagResult,
  drawnBy?: string,
): string | undefined {
  const relevant = attributes(result);
  const names = drawnBy ? [drawnBy] : attributes().filter((name) => relevant.includes(name));
  return names.map((name) => `${user[name] ?? ""}`).find((unit) => unit);
}
