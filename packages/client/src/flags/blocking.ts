import { BLOCKING_MS, type Core } from "./core";
import type { FlagResult, FlagValue } from "./flag-client";
import { NO_USER } from "./messages";
import type { Found, Person } from "./person";
import { hasValue, unanswered } from "./wire";

export function required(core: Core): Person {
  if (!core.person) throw new Error(NO_USER);
  return core.person;
}

/** What need not be asked for. `any`: nor what must not be stored, if it has just been asked for. */
function atHand(
  { records, overrides }: Core,
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
  core: Core,
  keys: readonly string[],
  isOne: boolean,
  fallback: (key: string) => FlagValue,
  untilMs = core.managers.ticks() + BLOCKING_MS,
): Promise<Record<string, FlagResult>> {
  const own = required(core);
  const isOwn = () => core.person === own;
  const leftMs = () => untilMs - core.managers.ticks();
  const wait = <T>(work: Promise<T>) => core.within(leftMs(), work);

  await wait(core.loading);
  let found: Found = { failure: "timeout" };
  let results = isOwn() ? atHand(core, keys, false) : undefined;
  // Not yet begun, since it waits for the first value: here is none.
  if (!results && isOwn() && !own.underWay) core.refresh();
  const bringing = results ? undefined : core.bringing(keys);
  if (bringing && isOwn()) {
    await wait(bringing);
    if (isOwn()) results = atHand(core, keys, true);
  }
  if (!results && isOwn() && leftMs() > 0) {
    // There by the time of the answer, as a rule: it counts what that shows.
    void core.load();
    found = (await wait(core.ask(own, keys, isOne, leftMs()))) ?? found;
    ({ results } = found);
    // Nobody answers: then a slow disk is worth waiting for.
    if (!results && isOwn()) await wait(core.restoring);
  }
  // The same person, of whom something else is known meanwhile: then that answer counts.
  if (!isOwn() && core.person?.id === own.id) return settle(core, keys, isOne, fallback, untilMs);

  const settled: Record<string, FlagResult> = {};
  for (const key of keys) {
    const known =
      core.overrides.all.get(key)?.result ??
      (isOwn() ? (results?.get(key) ?? core.records.all.get(key)?.entry?.result) : undefined);
    if (known) core.report(key, known);
    const given = known ?? unanswered(isOwn() ? (found.failure ?? "network") : "aborted");
    settled[key] = hasValue(given) ? given : { ...given, variation: fallback(key) };
  }
  if (core.notes[0]) await core.noted();
  return settled;
}
