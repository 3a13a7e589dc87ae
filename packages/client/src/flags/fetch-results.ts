import type { Schema } from "../api";
import type { ActiveUser, FetchOutcome, Person } from "./person";
import type { Records } from "./records";
import type { Request } from "./transport";
import { readResults } from "./wire";

/**
 * Fetches the results of `keys`; without keys, of all visible flags. `isOne`: of the first key, at its own
 * address. `tag` is the ETag of what is known; the outcome is empty when that still holds.
 */
export type FetchResults = (
  own: Person,
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
 * Fetches results, stores them and broadcasts them to the other tabs. Calls that want the same for the
 * same person share one request (single-flight).
 */
export function createFetchResults({
  active,
  apiVersion,
  request,
  records,
}: FetchContext): FetchResults {
  return (own, keys, isOne, limitMs, tag) => {
    const name = JSON.stringify([isOne, keys, tag]);
    const one = isOne && keys?.[0];

    async function send(): Promise<FetchOutcome> {
      const {
        failure,
        body,
        tag: given,
      } = await request({
        path: `${apiVersion}/features${one ? `/${encodeURIComponent(one)}` : ""}`,
        body: keys && !one ? { ...own.user, featureList: keys } : own.user,
        limitMs,
        tag,
        gone: own.abort.signal,
      });
      if (active.person !== own) return { failure: "aborted" };
      if (!body) return failure ? { failure } : {};
      const { version, flags } = body as Partial<Schema<"ResultsBody">>;
      const found = one ? { [one]: body } : apiVersion === "v3" ? flags : body;
      const results = readResults(found, version, Object.keys(own.user));
      return { results: records.put(results, given ?? "") };
    }

    const sent = own.requests.get(name) ?? send().finally(() => own.requests.delete(name));
    own.requests.set(name, sent);
    return sent;
  };
}
