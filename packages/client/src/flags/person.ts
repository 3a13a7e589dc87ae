import type { FlagResult, FlagUser } from "./flag-client";
import { digest } from "./hash";

/** Whoever differs in one of these is somebody else. */
const IDENTITY = ["key", "userId", "googleClientId", "email", "anonymousId"];

/** What a request brought. */
export interface Found {
  readonly results?: ReadonlyMap<string, FlagResult>;
  readonly failure?: string;
}

/** Who the flags are for now, and what is being read of them. */
export interface ActiveUser {
  /** Another object with every change of person or attributes. */
  person: Person | undefined;
  /** Resolves when what is stored of this person is in memory, however long that takes. */
  restoring: Promise<unknown>;
  /** As that, but no longer than a request can wait. */
  loading: Promise<unknown>;
}

export interface Person {
  readonly user: FlagUser;
  /** Stands for the person wherever something is stored. */
  readonly id: string;
  /** Aborted when another one takes the place: nobody may see what is still under way. */
  readonly gone: AbortController;
  /** What is being asked, by what was asked. */
  readonly flights: Map<string, Promise<Found>>;
  /** Stands for the values of the attributes that the answer can depend on. */
  context(result: FlagResult): string;
  /** The names of the attributes that it can depend on. */
  relevant(result: FlagResult): readonly string[];
  /** The names of those that make a person. */
  readonly identity: readonly string[];
}

function relevant({ relevantContext }: FlagResult): readonly string[] {
  return Array.isArray(relevantContext) ? relevantContext : Object.keys(relevantContext);
}

/** The same person is somebody else to a client of another `scope`. */
export function createPerson(given: FlagUser, scope: string): Person {
  const user = { ...given };
  const stand = (names: readonly string[]) =>
    digest([scope, names.map((name) => [name, user[name]])]);
  /** Most flags depend on the same few. */
  const contexts = new Map<string, string>();
  return {
    user,
    id: stand(IDENTITY),
    gone: new AbortController(),
    flights: new Map(),
    context(result) {
      const names = relevant(result);
      const known = contexts.get(`${names}`) ?? stand([...names].sort());
      contexts.set(`${names}`, known);
      return known;
    },
    relevant,
    identity: IDENTITY,
  };
}
