import type { FetchResults } from "./fetch-results";
import type { FlagResult, FlagValue } from "./flag-client";
import { BLOCKING_MS, type Within } from "./limits";
import type { Managers } from "./managers";
import { NO_USER } from "./messages";
import type { Overrides } from "./overrides";
import type { ActiveUser, FetchOutcome, Person } from "./person";
import type { Records } from "./records";
import type { createRefresh } from "./refresh";
import type { Reports } from "./reports";
import { hasValue, unanswered } from "./wire";

interface ResolveContext extends ReturnType<typeof createRefresh>, Reports {
  readonly active: ActiveUser;
  readonly managers: Pick<Managers, "ticks">;
  readonly overrides: Pick<Overrides, "all">;
  readonly records: Pick<Records, "all" | "isStale">;
  readonly fetch: FetchResults;
  readonly within: Within;
  load(): Promise<unknown>;
}

export function required({ person }: ActiveUser): Person {
  if (!person) throw new Error(NO_USER);
  return person;
}

/** Returns fresh results from memory; undefined if one is missing. `any` includes results that are not cached. */
export function fromMemory(
  { records, overrides }: Pick<ResolveContext, "records" | "overrides">,
  keys: readonly string[],
  any: boolean,
): FetchOutcome["results"] {
  const results = new Map<string, FlagResult>();
  for (const key of keys) {
    if (overrides.all.has(key)) continue;
    const record = records.all.get(key);
    if (!record || !(any || record.entry) || records.isStale(record)) return undefined;
    results.set(key, record.peeked.result as FlagResult);
  }
  return results;
}

/** Resolves flags that a caller waits for: from memory, from a request in flight, or with a new request. */
export async function resolveFlags(
  context: ResolveContext,
  keys: readonly string[],
  isOne: boolean,
  fallback: (key: string) => FlagValue,
  untilMs = context.managers.ticks() + BLOCKING_MS,
): Promise<Record<string, FlagResult>> {
  const { active } = context;
  const person = required(active);
  const isOwn = () => active.person === person;
  const leftMs = () => untilMs - context.managers.ticks();
  const wait = <T>(work: Promise<T>) => context.within(leftMs(), work);

  await wait(active.loading);
  let fetched: FetchOutcome = { failure: "timeout" };
  let results = isOwn() ? fromMemory(context, keys, false) : undefined;
  // The first refresh waits for the cache. `refreshing` starts it at once, because these are not cached.
  const inFlight = !results && isOwn() && context.refreshing(keys);
  if (inFlight) {
    await wait(inFlight);
    if (isOwn()) results = fromMemory(context, keys, true);
  }
  if (!results && isOwn() && leftMs() > 0) {
    // The background work reports the exposure. It is usually loaded before the response arrives.
    void context.load();
    fetched = (await wait(context.fetch(person, keys, isOne, leftMs()))) ?? fetched;
    ({ results } = fetched);
    // Without a response, the client waits for a slow disk.
    if (!results && isOwn()) await wait(active.reading);
  }
  // The user's attributes have changed meanwhile, so the client resolves the flags again.
  if (!isOwn() && active.person?.id === person.id)
    return resolveFlags(context, keys, isOne, fallback, untilMs);

  const settled: Record<string, FlagResult> = {};
  for (const key of keys) {
    const stored =
      context.overrides.all.get(key)?.result ??
      (isOwn() && (results?.get(key) ?? context.records.all.get(key)?.entry?.result));
    if (stored) context.report(key, stored);
    const result = stored || unanswered(isOwn() ? (fetched.failure ?? "network") : "aborted");
    settled[key] = hasValue(result) ? result : { ...result, variation: fallback(key) };
  }
  await context.saved();
  return settled;
}
