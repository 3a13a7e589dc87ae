import type { Schema } from "../api";
import type { FetchResults } from "./fetch-results";
import type { FlagCache, FlagResult } from "./flag-client";
import type { Within } from "./limits";
import type { Overrides } from "./overrides";
import type { ActiveUser, Person } from "./person";
import type { Records } from "./records";
import type { Request } from "./transport";

const ONLY_V3 =
  "This functionality is only available on v3 API. Please change your apiVersion value in the initialization of the flag client";
const BLOCKING_MS = 3_000;
const CACHE_MS = 1_000;
const KEYS = "fwf-keys-db:keys";

interface FlagsContext {
  readonly active: Pick<ActiveUser, "person">;
  readonly apiVersion: string;
  readonly fetch: FetchResults;
  readonly overrides: Pick<Overrides, "all">;
  readonly records: Pick<Records, "all">;
}

interface KeysContext {
  readonly apiVersion: string;
  readonly cache: FlagCache | null;
  readonly request: Request;
  readonly within: Within;
}

/** The results of all visible flags; the cached ones where there is no answer. */
export async function allFlags(
  { active, apiVersion, fetch, overrides, records }: FlagsContext,
  own: Person,
): Promise<Record<string, FlagResult>> {
  if (apiVersion !== "v3") throw new Error(ONLY_V3);
  const { results } = await fetch(own, undefined, false, BLOCKING_MS);
  if (active.person !== own) return {};
  const given: Record<string, FlagResult> = Object.fromEntries(results ?? []);
  if (!results) for (const [key, { entry }] of records.all) if (entry) given[key] = entry.result;
  for (const key in given)
    given[key] = overrides.all.get(key)?.result ?? (given[key] as FlagResult);
  return given;
}

/** The keys of all visible flags; those of the last answer where there is none now. */
export async function flagKeys({
  cache,
  request,
  apiVersion,
  within,
}: KeysContext): Promise<readonly string[]> {
  const before = within(CACHE_MS, (async () => cache?.get(KEYS))());
  const { body } = await request({
    method: "GET",
    path: `${apiVersion}/features-list/keys`,
    limitMs: BLOCKING_MS,
  });
  const given =
    apiVersion === "v3" ? (body as Partial<Schema<"KeysBody">> | undefined)?.keys : body;
  if (!Array.isArray(given)) return ((await before) as readonly string[] | undefined) ?? [];
  const keys = given.map((entry: string | Schema<"FeatureKeyBody">) =>
    typeof entry === "string" ? entry : entry.key,
  );
  // Best effort.
  void (async () => cache?.set(KEYS, keys))().catch(() => {});
  return keys;
}
