import type { Schema } from "../api";
import type { ActiveUser, FetchOutcome, Person } from "./person";
import type { Records } from "./records";
import type { Request } from "./transport";
import { readResults } from "./wire";

/**
 * Fetches the results of `keys`, or of all visible flags without keys. With `isOne` it fetches only the
 * first key, from the address of that flag. `tag` is the ETag of the stored results; the outcome is empty
 * if they are still current.
 */
export type FetchResults = (
  person: Person,
  keys: readonly string[] | undefined,
  isOne: boolean,
  limitMs: number,
  tag?: string,
) => Promise<FetchOutcome>;

interface FetchContext {
  readonly active: Pick<ActiveUser, "person">;
  readonly apiVersion: string;
  readonly request: Request;
  readonly records: Pick<Records, "put">;
}

/**
 * Fetches results, stores them and broadcasts them to the other tabs. Equal calls for the same person
 * share one request (single-flight).
 */
export function createFetchResults({
  active,
  apiVersion,
  request,
  records,
}: FetchContext): FetchResults {
  return (person, keys, isOne, limitMs, tag) => {
    const name = JSON.stringify([isOne, keys, tag]);
    const one = isOne && keys?.[0];

    async function send(): Promise<FetchOutcome> {
      const {
        failure,
        body,
        tag: newTag,
      } = await request({
        path: `${apiVersion}/features${one ? `/${encodeURIComponent(one)}` : ""}`,
        body: keys && !one ? { ...person.user, featureList: keys } : person.user,
        limitMs,
        tag,
        cancelSignal: person.abort.signal,
      });
      if (active.person !== person) return { failure: "aborted" };
      if (!body) return failure ? { failure } : {};
      const { version, flags } = body as Partial<Schema<"ResultsBody">>;
      const entries = one ? { [one]: body } : apiVersion === "v3" ? flags : body;
      const results = readResults(entries, version, Object.keys(person.user));
      return { results: records.put(results, newTag ?? "") };
    }

    const pending = person.requests.get(name) ?? send().finally(() => person.requests.delete(name));
    person.requests.set(name, pending);
    return pending;
  };
}
