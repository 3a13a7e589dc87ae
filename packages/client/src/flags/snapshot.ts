import type { FlagSnapshot, FlagUser, Peeked } from "./flag-client";
import type { Records } from "./records";

/** Builds the snapshot on demand and keeps it until something changes. */
export function createSnapshot(
  records: Records,
  overrides: ReadonlyMap<string, Peeked>,
  user: () => FlagUser | undefined,
) {
  let last: FlagSnapshot | undefined;

  function make(): FlagSnapshot {
    const known = [...records.all].map(([key, { peeked }]) => [key, peeked] as const);
    const all = [...new Map([...known, ...overrides])];
    const holdouts = known.flatMap(([, { result }]) => result.holdoutsEvaluations);
    return {
      user: user(),
      version: Math.max(0, ...known.map(([, { result }]) => result.version ?? 0)) || undefined,
      flags: all.map(([key, peeked]) => ({ ...peeked, key, overridden: overrides.has(key) })),
      experiments: known.flatMap(
        ([
          flag,
          {
            result: { experiment },
          },
        ]) => (experiment ? [{ ...experiment, flag }] : []),
      ),
      holdouts: [...new Map(holdouts.map((it) => [it.key, it])).values()],
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
