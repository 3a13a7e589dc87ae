import type { FlagResult, FlagUser } from "./flag-client";
import { digest } from "./hash";

/** Whoever differs in one of these is somebody else. */
const IDENTITY = ["key", "userId", "googleClientId", "email", "anonymousId"] as const;

export interface Person {
  readonly user: FlagUser;
  /** Stands for the person wherever something is stored. */
  readonly id: string;
  /** Stands for the values of those attributes; of all of them, where it is not known which. */
  context(relevant: FlagResult["relevantContext"] | undefined): string;
}

const list = (user: FlagUser, names: readonly string[]) =>
  digest(JSON.stringify(names.map((name) => [name, user[name]])));

export function createPerson(given: FlagUser): Person {
  const user = { ...given };
  return {
    user,
    id: list(user, IDENTITY),
    context(relevant = Object.keys(user)) {
      const names = Array.isArray(relevant) ? relevant : Object.keys(relevant);
      return list(user, [...names].sort());
    },
  };
}

/** The value that a participation is counted by, and nothing where nobody was drawn. */
export function unitOf(user: FlagUser, result: FlagResult, named: string | undefined) {
  const { relevantContext } = result;
  const relevant = Array.isArray(relevantContext) ? relevantContext : Object.keys(relevantContext);
  const candidates = named ? [named] : IDENTITY.filter((name) => relevant.includes(name));
  for (const name of candidates) {
    const value = user[name];
    if (typeof value === "number" || (typeof value === "string" && value)) return `${value}`;
  }
  return undefined;
}
