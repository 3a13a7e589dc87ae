import type {
  Answered,
  ExperimentAssignment,
  Explanation,
  FlagKey,
  FlagStatus,
  HoldoutEvaluation,
  ValueOf,
} from "@musette/client/flags";
import { useCallback, useMemo, useSyncExternalStore } from "react";
import { useFlags } from "./provider";
import { type ReadOptions, usePeek } from "./use-peek";

/** What `useFlag` returns. */
export interface UseFlag<T> {
  readonly value: T;
  readonly status: FlagStatus;
  /** Why it is this value; undefined while it is loading. */
  readonly explanation: Explanation | undefined;
}

/** What `useExperiment` returns. */
export interface UseExperiment<T> extends UseFlag<T> {
  /** Undefined for those who do not take part. */
  readonly experiment: ExperimentAssignment | undefined;
}

/**
 * Reads a flag, with the fallback while there is no value. Whoever is shown what an A/B test decided is
 * reported as a participant, once it is on the screen.
 *
 * @throws Error outside of a `FlagsProvider`.
 */
export function useFlag<K extends FlagKey, T extends ValueOf<K>>(
  key: K,
  fallback: T,
  options?: ReadOptions,
): UseFlag<Answered<K, T>> {
  return useExperiment(key, fallback, options);
}

/** `useFlag` that also returns this person's participation in an A/B test. */
export function useExperiment<K extends FlagKey, T extends ValueOf<K>>(
  key: K,
  fallback: T,
  options?: ReadOptions,
): UseExperiment<Answered<K, T>> {
  const peeked = usePeek(key, options);
  // What is served and what falls back have the type of the key, which the compiler cannot follow.
  const value = (peeked?.result.variation ?? fallback) as Answered<K, T>;
  return useMemo(
    () => ({
      value,
      status: peeked?.status ?? "loading",
      explanation: peeked?.result.explanation,
      experiment: peeked?.result.experiment,
    }),
    [value, peeked],
  );
}

interface HasHoldouts {
  readonly holdouts: readonly HoldoutEvaluation[];
}

/** The holdouts that apply to this person, as far as the flags asked for so far tell. */
export function useHoldouts(): readonly HoldoutEvaluation[] {
  const { client, first } = useFlags();
  const subscribe = useCallback(
    (changed: () => void) => client?.subscribe([], changed) ?? (() => {}),
    [client],
  );
  const now = () => (client ? client.snapshot() : first);
  return useSyncExternalStore<HasHoldouts>(subscribe, now, () => first).holdouts;
}
