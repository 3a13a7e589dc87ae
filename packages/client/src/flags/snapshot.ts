import type {
  ExperimentAssignment,
  FlagSnapshot,
  FlagUser,
  HoldoutEvaluation,
  Peeked,
} from "./flag-client";
import type { Records } from "./records";

/** Everything that is known, put together when somebody looks. */
export function createSnapshot(
  records: Records,
  overridden: ReadonlyMap<string, Peeked>,
  user: () => FlagUser | undefined,
) {
  let last: FlagSnapshot | undefined;

  function make(): FlagSnapshot {
    const keys = [...new Set([...records.all.keys(), ...overridden.keys()])].sort();
    const experiments: (ExperimentAssignment & { flag: string })[] = [];
    const holdouts = new Map<string, HoldoutEvaluation>();
    let version: number | undefined;
    for (const [flag, { entry, version: own }] of records.all) {
      if (!entry) continue;
      version = Math.max(own, version ?? 0) || undefined;
      if (entry.result.experiment) experiments.push({ ...entry.result.experiment, flag });
      for (const holdout of entry.result.holdoutsEvaluations) holdouts.set(holdout.key, holdout);
    }
    const flags = keys.flatMap((key) => {
      const peeked = overridden.get(key) ?? records.all.get(key)?.peeked;
      return peeked ? [{ ...peeked, key, overridden: overridden.has(key) }] : [];
    });
    return { user: user(), version, flags, experiments, holdouts: [...holdouts.values()] };
  }

  return {
    current: () => (last ??= make()),
    forget() {
      last = undefined;
    },
  };
}
