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

/** The return value of `useFlag`. */
export interface UseFlag<T> {
  /** The value of the flag, or the fallback. */
  readonly value: T;
  /** How current the value is. */
  readonly status: FlagStatus;
  /** The reason for the value; undefined while loading. */
  readonly explanation: Explanation | undefined;
}

/** The return value of `useExperiment`. */
export interface UseExperiment<T> extends UseFlag<T> {
  /** The user's participation; undefined if they do not take part. */
  readonly experiment: ExperimentAssignment | undefined;
}

/**
 * Returns the value of a flag, or the fallback while there is none. If an A/B test determined the value, it
 * reports the user as a participant after the value is on the screen.
 *
 * @throws Error outside of a `FlagsProvider`.
 *
 * @example
 * const { value, status } = useFlag("checkin-v2", "list");
 */
export function useFlag<K extends FlagKey, T extends ValueOf<K>>(
  key: K,
  fallback: T,
  options?: ReadOptions,
): UseFlag<Answered<K, T>> {
  return useExperiment(key, fallback, options);
}

/** Does the same as `useFlag` and also returns the user's participation in an A/B test. */
export function useExperiment<K extends FlagKey, T extends ValueOf<K>>(
  key: K,
  fallback: T,
  options?: ReadOptions,
): UseExperiment<Answered<K, T>> {
  const peeked = usePeek(key, options);
  // The served value and the fallback both have the type of the key, which the compiler cannot infer.
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

/** Returns the holdouts that apply to the user, according to the flags loaded so far. */
export function useHoldouts(): readonly HoldoutEvaluation[] {
  const { client, first } = useFlags();
  const subscribe = useCallback(
    (changed: () => void) => client?.subscribe([], changed) ?? (() => {}),
    [client],
  );
  const getSnapshot = () => (client ? client.snapshot() : first);
  return useSyncExternalStore<HasHoldouts>(subscribe, getSnapshot, () => first).holdouts;
}
