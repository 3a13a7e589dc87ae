import type { Ask } from "./ask";
import type { FlagResult, FlagValue } from "./flag-client";
import { BLOCKING_MS, type Within } from "./limits";
import type { Managers } from "./managers";
import { NO_USER } from "./messages";
import type { Overrides } from "./overrides";
import type { ActiveUser, Found, Person } from "./person";
import type { Records } from "./records";
import type { createRefresh } from "./refresh";
import type { Reports } from "./reports";
import { hasValue, unanswered } from "./wire";

interface BlockingContext extends ReturnType<typeof createRefresh>, Reports {
  readonly active: ActiveUser;
  readonly managers: Pick<Managers, "ticks">;
  readonly overrides: Pick<Overrides, "all">;
  readonly records: Pick<Records, "all" | "isStale">;
  readonly ask: Ask;
  readonly within: Within;
  load(): Promise<unknown>;
}

export function required({ person }: ActiveUser): Person {
  if (!person) throw new Error(NO_USER);
  return person;
}

/** What need not be asked for. `any`: nor what must not be stored, if it has just been asked for. */
function atHand(
  { records, overrides }: BlockingContext,
  keys: readonly string[],
  any: boolean,
): Found["results"] {
  const results = new Map<string, FlagResult>();
  for (const key of keys) {
    if (overrides.all.has(key)) continue;
    const known = records.all.get(key);
    if (!known || !(any || known.entry) || records.isStale(known)) return undefined;
    results.set(key, known.peeked.result as FlagResult);
  }
  return results;
}

/** Somebody waits for it: from memory, from a request that is under way, or by asking. */
export async function settle(
  context: BlockingContext,
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
  let found: Found = { failure: "timeout" };
  let results = isOwn() ? atHand(context, keys, false) : undefined;
  // Perhaps not yet begun, since it waits for the first value: here is none.
  const bringing = !results && isOwn() && context.bringing(keys);
  if (bringing) {
    await wait(bringing);
    if (isOwn()) results = atHand(context, keys, true);
  }
  if (!results && isOwn() && leftMs() > 0) {
    // There by the time of the answer, as a rule: it counts what that shows.
    void context.load();
    found = (await wait(context.ask(own, keys, isOne, leftMs()))) ?? found;
    ({ results } = found);
    // Nobody answers: then a slow disk is worth waiting for.
    if (!results && isOwn()) await wait(active.restoring);
  }
  // The same person, of whom something else is known meanwhile: then that answer counts.
  if (!isOwn() && active.person?.id === own.id)
    return settle(context, keys, isOne, fallback, untilMs);

  const settled: Record<string, FlagResult> = {};
  for (const key of keys) {
    const known =
      context.overrides.all.get(key)?.result ??
      (isOwn() && (results?.get(key) ?? context.records.all.get(key)?.entry?.result));
    if (known) context.report(key, known);
    const given = known || unanswered(isOwn() ? (found.failure ?? "network") : "aborted");
    settled[key] = hasValue(given) ? given : { ...given, variation: fallback(key) };
  }
  await context.noted();
  return settled;
}
