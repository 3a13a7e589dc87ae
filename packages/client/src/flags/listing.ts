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

/** Returns the results of all visible flags, or the cached results if the service does not respond. */
export async function allFlags(
  { active, apiVersion, fetch, overrides, records }: FlagsContext,
  person: Person,
): Promise<Record<string, FlagResult>> {
  if (apiVersion !== "v3") throw new Error(ONLY_V3);
  const { results } = await fetch(person, undefined, false, BLOCKING_MS);
  if (active.person !== person) return {};
  const all: Record<string, FlagResult> = Object.fromEntries(results ?? []);
  if (!results) for (const [key, { entry }] of records.all) if (entry) all[key] = entry.result;
  for (const key in all) all[key] = overrides.all.get(key)?.result ?? (all[key] as FlagResult);
  return all;
}

/** Returns the keys of all visible flags, or the last known keys if the service does not respond. */
export async function flagKeys({
  cache,
  request,
  apiVersion,
  within,
}: KeysContext): Promise<readonly string[]> {
  const lastKeys = within(CACHE_MS, (async () => cache?.get(KEYS))());
  const { body } = await request({
    method: "GET",
    path: `${apiVersion}/features-list/keys`,
    limitMs: BLOCKING_MS,
  });
  const entries =
    apiVersion === "v3" ? (body as Partial<Schema<"KeysBody">> | undefined)?.keys : body;
  if (!Array.isArray(entries)) return ((await lastKeys) as readonly string[] | undefined) ?? [];
  const keys = entries.map((entry: string | Schema<"FeatureKeyBody">) =>
    typeof entry === "string" ? entry : entry.key,
  );
  // A failed write does not matter: the next call fetches the keys again.
  void (async () => cache?.set(KEYS, keys))().catch(() => {});
  return keys;
}
