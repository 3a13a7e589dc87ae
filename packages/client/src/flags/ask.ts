import type { Core } from "./core";
import type { Found, Person } from "./person";
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

/** Asks the service, keeps the answer, and tells the other tabs. */
export function createAsk(core: Core): Ask {
  async function fly(
    own: Person,
    keys: readonly string[] | undefined,
    one: string | undefined,
    limitMs: number,
    tag: string | undefined,
  ): Promise<Found> {
    const {
      failure,
      body,
      tag: given,
    } = await core.request({
      path: `${core.apiVersion}/features${one ? `/${encodeURIComponent(one)}` : ""}`,
      body: keys && !one ? { ...own.user, featureList: keys } : own.user,
      limitMs,
      tag,
      gone: own.gone.signal,
    });
    if (core.person !== own) return { failure: "aborted" };
    if (!body) return failure ? { failure } : {};
    const { version, flags } = body as { version?: number; flags?: unknown };
    const found = one ? { [one]: body } : core.apiVersion === "v3" ? flags : body;
    const results = readResults(found, version, Object.keys(own.user));
    return { results: core.records.put(results, given ?? "") };
  }

  /** One request for all who ask the same of the same person. */
  return (own, keys, isOne, limitMs, tag) => {
    const name = JSON.stringify([isOne, keys, tag]);
    const running = own.flights.get(name);
    if (running) return running;
    const done = () => own.flights.delete(name);
    const flight = fly(own, keys, isOne ? keys?.[0] : undefined, limitMs, tag).finally(done);
    own.flights.set(name, flight);
    return flight;
  };
}
