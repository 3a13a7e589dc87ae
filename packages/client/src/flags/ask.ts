import type { Core } from "./core";
import type { FlagResult } from "./flag-client";
import type { Found, Person } from "./person";
import { readResults } from "./wire";

/** No keys: all that may be seen. `isOne`: of the one key, at its own address. */
export type Ask = (
  own: Person,
  keys: readonly string[] | undefined,
  isOne: boolean,
  limitMs: number,
) => Promise<Found>;

/** Asks the service, keeps the answer, and tells the other tabs. */
export function createAsk(core: Core): Ask {
  const { all, put } = core.records;
  async function fly(
    own: Person,
    keys: readonly string[] | undefined,
    one: string | undefined,
    limitMs: number,
  ): Promise<Found> {
    // What came with one ETag is asked for again with it, unless a part of it is missing.
    const tag = (keys && all.get(keys[0] as string)?.tag) || "";
    const hasTag = (key: string) => all.get(key)?.tag === tag;
    const { failure, retryAfterMs, ...outcome } = await core.request({
      path: `${core.apiVersion}/features${one ? `/${encodeURIComponent(one)}` : ""}`,
      body: keys && !one ? { ...own.user, featureList: keys } : own.user,
      limitMs,
      tag: keys?.every(hasTag) ? tag : "",
      gone: own.gone.signal,
    });
    if (core.person !== own) return { failure: "aborted" };
    if (failure) return { failure, retryAfterMs };
    const body = outcome.body as { version?: number; flags?: unknown } | undefined;
    if (!body) {
      const same = keys?.filter(hasTag).map((key) => [key, all.get(key)?.peeked.result] as const);
      return { results: put(new Map(same as [string, FlagResult][]), tag) };
    }
    const given = one ? { [one]: body } : core.apiVersion === "v3" ? body.flags : body;
    const results = readResults(given, body.version, Object.keys(own.user));
    return { results: put(results, outcome.tag ?? ""), version: body.version };
  }

  /** One request for all who ask the same of the same person. */
  return (own, keys, isOne, limitMs) => {
    const name = JSON.stringify([isOne, keys]);
    const running = own.flights.get(name);
    if (running) return running;
    const done = () => own.flights.delete(name);
    const flight = fly(own, keys, isOne ? keys?.[0] : undefined, limitMs).finally(done);
    own.flights.set(name, flight);
    return flight;
  };
}
