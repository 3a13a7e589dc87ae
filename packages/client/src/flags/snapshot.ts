import type { FlagSnapshot, FlagUser, Peeked } from "./flag-client";
import type { Records } from "./records";

/** Everything that is known, put together when somebody looks. */
export function createSnapshot(
  records: Records,
  forced: ReadonlyMap<string, Peeked>,
  user: () => FlagUser | undefined,
) {
  let last: FlagSnapshot | undefined;

  function make(): FlagSnapshot {
    const all = new Map([
      ...[...records.all].map(([key, it]) => [key, it.peeked] as const),
      ...forced,
    ]);
    const results = [...records.all].flatMap(([flag, { entry }]) =>
      entry ? [{ ...entry.result, flag }] : [],
    );
    const holdouts = results.flatMap(({ holdoutsEvaluations }) => holdoutsEvaluations);
    return {
      user: user(),
      version: results.reduce<number | undefined>(
        (max, { version = 0 }) => Math.max(version, max ?? 0) || undefined,
        undefined,
      ),
      flags: [...all].map(([key, it]) => ({ ...it, key, overridden: forced.has(key) })),
      experiments: results.flatMap(({ experiment, flag }) =>
        experiment ? [{ ...experiment, flag }] : [],
      ),
      holdouts: [...new Map(holdouts.map((it) => [it.key, it])).values()],
    };
  }

  return {
    current: () => {
      last ??= make();
      return last;
    },
    forget() {
      last = undefined;
    },
  };
}
