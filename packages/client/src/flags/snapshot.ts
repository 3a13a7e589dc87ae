import type { FlagSnapshot, FlagUser, Peeked } from "./flag-client";
import type { Records } from "./records";

/** Creates a snapshot on demand and reuses it until something changes. */
export function createSnapshot(
  records: Records,
  overrides: ReadonlyMap<string, Peeked>,
  user: () => FlagUser | undefined,
) {
  let last: FlagSnapshot | undefined;

  function make(): FlagSnapshot {
    const results = [...records.all].map(([key, { peeked }]) => [key, peeked] as const);
    const flags = [...new Map([...results, ...overrides])];
    const holdouts = results.flatMap(([, { result }]) => result.holdoutsEvaluations);
    return {
      user: user(),
      version: Math.max(0, ...results.map(([, { result }]) => result.version ?? 0)) || undefined,
      flags: flags.map(([key, peeked]) => ({ ...peeked, key, overridden: overrides.has(key) })),
      experiments: results.flatMap(
        ([
          flag,
          {
            result: { experiment },
          },
        ]) => (experiment ? [{ ...experiment, flag }] : []),
      ),
      holdouts: [...new Map(holdouts.map((holdout) => [holdout.key, holdout])).values()],
    };
  }

  return {
    current() {
      last ??= make();
      return last;
    },
    forget() {
      last = undefined;
    },
  };
}
