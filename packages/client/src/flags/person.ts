import type { FlagResult, FlagUser } from "./flag-client";
import { hash } from "./hash";

/** The attributes that identify a user. */
const IDENTITY = ["key", "userId", "googleClientId", "email", "anonymousId"];

/** The results or a failure. Neither is set if the ETag still matches. */
export interface FetchOutcome {
  readonly results?: ReadonlyMap<string, FlagResult>;
  readonly failure?: string;
}

/** The current user and the reading of their cached results. */
export interface ActiveUser {
  /** A new object after every change of user or attributes. */
  person: Person | undefined;
  /** Resolves when the cached results of this user are in memory. Has no time limit. */
  reading: Promise<unknown>;
  /** `reading` with a time limit. After the limit the client sends its request without them. */
  loading: Promise<unknown>;
}

/** A user and the requests in flight for them. */
export interface Person {
  readonly user: FlagUser;
  /** A hash of the identifying attributes. */
  readonly id: string;
  /** Aborted when the user changes, so that the next user never sees results that are still in flight. */
  readonly abort: AbortController;
  /** Requests in flight by their parameters. Equal calls share one request (single-flight). */
  readonly requests: Map<string, Promise<FetchOutcome>>;
  /** Returns a hash of the values of the attributes that the result can depend on. */
  context(result: FlagResult): string;
  /** Returns the attributes that a result can depend on. Without a result: those that identify a user. */
  attributes(result?: FlagResult): readonly string[];
}

function attributes(result?: FlagResult): readonly string[] {
  if (!result) return IDENTITY;
  const { relevantContext } = result;
  return Array.isArray(relevantContext) ? relevantContext : Object.keys(relevantContext);
}

/** Creates a person. `scope` makes the ids of two clients differ. */
export function createPerson(attributesOfUser: FlagUser, scope: string): Person {
  const user = { ...attributesOfUser };
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
