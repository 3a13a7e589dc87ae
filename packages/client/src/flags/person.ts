import type { FlagResult, FlagUser } from "./flag-client";
import { hash } from "./hash";

/** The attributes that identify a person. */
const IDENTITY = ["key", "userId", "googleClientId", "email", "anonymousId"];

/** Results or a failure; neither when the ETag still matches. */
export interface FetchOutcome {
  readonly results?: ReadonlyMap<string, FlagResult>;
  readonly failure?: string;
}

/** Who the flags are for now. */
export interface ActiveUser {
  /** Replaced by another object with every change of person or attributes. */
  person: Person | undefined;
  /** Resolves when the cached results of this person are in memory, however long that takes. */
  reading: Promise<unknown>;
  /** Waits for them up to a time limit, after which the request goes without them. */
  loading: Promise<unknown>;
}

/** A user of the flags, with what is in flight for them. */
export interface Person {
  readonly user: FlagUser;
  /** A hash of the identifying attributes. */
  readonly id: string;
  /** Aborted when another person takes over: nobody may see the results that are in flight. */
  readonly abort: AbortController;
  /** Single-flight: requests in flight by what they ask for. */
  readonly requests: Map<string, Promise<FetchOutcome>>;
  /** A hash of the values of the attributes that the result can depend on. */
  context(result: FlagResult): string;
  /** The names of the attributes that a result can depend on; without one, those that identify a person. */
  attributes(result?: FlagResult): readonly string[];
}

function attributes(result?: FlagResult): readonly string[] {
  if (!result) return IDENTITY;
  const { relevantContext } = result;
  return Array.isArray(relevantContext) ? relevantContext : Object.keys(relevantContext);
}

/** `scope` keeps the ids of two clients apart. */
export function createPerson(given: FlagUser, scope: string): Person {
  const user = { ...given };
  const hashOf = (names: readonly string[]) =>
    hash([scope, names.map((name) => [name, user[name]])]);
  return {
    user,
    id: hashOf(IDENTITY),
    abort: new AbortController(),
    requests: new Map(),
    context: (result) => hashOf([...attributes(result)].sort()),
    attributes,
  };
}
