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

/** What is known and fresh; undefined if one is missing. `any`: results that are not cached count too. */
export function fromMemory(
  { records, overrides }: Pick<ResolveContext, "records" | "overrides">,
  keys: readonly string[],
  any: boolean,
): FetchOutcome["results"] {
  const results = new Map<string, FlagResult>();
  for (const key of keys) {
    if (overrides.all.has(key)) continue;
    const known = records.all.get(key);
    if (!known || !(any || known.entry) || records.isStale(known)) return undefined;
    results.set(key, known.peeked.result as FlagResult);
  }
  return results;
}

/** Resolves flags that a caller waits for: from memory, from a request in flight, or by a new one. */
export async function resolveFlags(
  context: ResolveContext,
  keys: readonly string[],
  isOne: boolean,
  fallback: (key: string) => FlagValue,
  untilMs = context.managers.ticks() + BLOCKING_MS,
): Promise<Record<string, FlagResult>> {
  const { active } = context;
  const own = required(active);
  const isOwn = () => active.person === own;
  const leftMs = () => untilMs - context.managers.ticks();
  const wait = <T>(work: Promise<T>) => context.within(leftMs(), work);

  await wait(active.loading);
  let found: FetchOutcome = { failure: "timeout" };
  let results = isOwn() ? fromMemory(context, keys, false) : undefined;
  // The first refresh waits for the cache; `refreshing` starts it at once, since nothing is cached here.
  const inFlight = !results && isOwn() && context.refreshing(keys);
  if (inFlight) {
    await wait(inFlight);
    if (isOwn()) results = fromMemory(context, keys, true);
  }
  if (!results && isOwn() && leftMs() > 0) {
    // Loaded by the time of the answer, as a rule: it counts the exposure.
    void context.load();
    found = (await wait(context.fetch(own, keys, isOne, leftMs()))) ?? found;
    ({ results } = found);
    // No answer: a slow disk is worth waiting for.
    if (!results && isOwn()) await wait(active.reading);
  }
  // The person's attributes have changed: resolve again for them.
  if (!isOwn() && active.person?.id === own.id)
    return resolveFlags(context, keys, isOne, fallback, untilMs);

  const settled: Record<string, FlagResult> = {};
  for (const key of keys) {
    const known =
      context.overrides.all.get(key)?.result ??
      (isOwn() && (results?.get(key) ?? context.records.all.get(key)?.entry?.result));
    if (known) context.report(key, known);
    const given = known || unanswered(isOwn() ? (found.failure ?? "network") : "aborted");
    settled[key] = hasValue(given) ? given : { ...given, variation: fallback(key) };
  }
  await context.saved();
  return settled;
}
