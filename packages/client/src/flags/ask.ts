import type { ActiveUser, Found, Person } from "./person";
import type { Records } from "./records";
import type { Request } from "./transport";
import { readResults } from "./wire";

/**
 * No keys: all that may be seen. `isOne`: of the one key, at its own address. Neither results nor a
 * failure: what has this ETag is not modified.
 */
export type Ask = (
  own: Person,
  keys: readonly string[] | undefined,
  isOne: boolean,
  limitMs: number,
  tag?: string,
) => Promise<Found>;

interface AskContext {
  readonly active: Pick<ActiveUser, "person">;
  readonly apiVersion: string;
  readonly request: Request;
  readonly records: Pick<Records, "put">;
}

/**
 * Asks the service, keeps the answer, and tells the other tabs. One request for all who ask the same of
 * the same person.
 */
export function createAsk({ active, apiVersion, request, records }: AskContext): Ask {
  return (own, keys, isOne, limitMs, tag) => {
    const name = JSON.stringify([isOne, keys, tag]);
    const one = isOne && keys?.[0];

    async function fly(): Promise<Found> {
      const {
        failure,
        body,
        tag: given,
      } = await request({
        path: `${apiVersion}/features${one ? `/${encodeURIComponent(one)}` : ""}`,
        body: keys && !one ? { ...own.user, featureList: keys } : own.user,
        limitMs,
        tag,
        gone: own.gone.signal,
      });
      if (active.person !== own) return { failure: "aborted" };
      if (!body) return failure ? { failure } : {};
      const { version, flags } = body as { version?: number; flags?: unknown };
      const found = one ? { [one]: body } : apiVersion === "v3" ? flags : body;
      const results = readResults(found, version, Object.keys(own.user));
      return { results: records.put(results, given ?? "") };
    }

    const flight = own.flights.get(name) ?? fly().finally(() => own.flights.delete(name));
    own.flights.set(name, flight);
    return flight;
  };
}
