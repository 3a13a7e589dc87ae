import type {
  FlagClient,
  FlagResult,
  FlagSnapshot,
  FlagValue,
  Peeked,
} from "@musette/client/flags";
import { act } from "react";
import { vi } from "vitest";

/** A fake client whose values a test sets step by step. */
export interface ScriptedClient extends FlagClient {
  /** Sets values and notifies subscribers. */
  answer(answers: Readonly<Record<string, Peeked>>): Promise<void>;
  /** Removes all values, like a change of user. */
  forget(): Promise<void>;
  /** The subscribed flags, one entry per subscription. */
  readonly subscribed: readonly string[];
  readonly reportExposure: ReturnType<typeof vi.fn<FlagClient["reportExposure"]>>;
}

export function result(
  variation: FlagValue,
  more: Partial<FlagResult<FlagValue>> = {},
): FlagResult<FlagValue> {
  return {
    variation,
    abTest: false,
    explanation: { kind: "RULE", from: "rule:r1" },
    relevantContext: ["country"],
    holdoutsEvaluations: [],
    ...more,
  };
}

export const inTest = (variation: string): FlagResult =>
  result(variation, {
    abTest: true,
    explanation: { kind: "AB_TEST", from: "experiment:apply-words" },
    experiment: { key: "apply-words", variation, phase: 1, bucketVersion: 1, sticky: false },
    holdoutsEvaluations: [{ key: "2026-q4", group: "COMPARISON", applied: false }],
  });

export const fresh = (of: FlagResult): Peeked => ({ result: of, status: "fresh" });

export const fallback = (kind: "FALLBACK" | "ERROR" = "FALLBACK"): Peeked => ({
  result: result(null, { explanation: { kind, from: "client:timeout" } }),
  status: "fallback",
});

export function scriptedClient(initial: Readonly<Record<string, Peeked>> = {}): ScriptedClient {
  const values = new Map(Object.entries(initial));
  const subscriptions = new Map<() => void, readonly string[]>();
  const readyFor = new Set<{ readonly keys: readonly string[]; readonly resolve: () => void }>();
  let snapshot: FlagSnapshot | undefined;
  const unused = () => Promise.reject(new Error("the hooks do not call this method"));

  return {
    async answer(more) {
      await act(async () => {
        for (const [key, peeked] of Object.entries(more)) values.set(key, peeked);
        snapshot = undefined;
        for (const waiter of readyFor)
          if (waiter.keys.every((key) => values.has(key))) waiter.resolve();
        for (const listener of [...subscriptions.keys()]) listener();
      });
    },
    async forget() {
      values.clear();
      await this.answer({});
    },
    get subscribed() {
      return [...subscriptions.values()].flat();
    },
    reportExposure: vi.fn(),
    reportMetric: vi.fn(),
    peek: ((key: string) => values.get(key)) as FlagClient["peek"],
    subscribe(keys, listener) {
      const uniqueListener = () => listener();
      subscriptions.set(uniqueListener, keys);
      return () => subscriptions.delete(uniqueListener);
    },
    ready: (keys) =>
      new Promise((resolve) => {
        if (keys.every((key) => values.has(key))) resolve();
        else readyFor.add({ keys, resolve });
      }),
    snapshot() {
      const flags = [...values].map(([key, peeked]) => ({ key, ...peeked, overridden: false }));
      snapshot ??= {
        user: { userId: "rider-1" },
        version: 7,
        flags,
        experiments: [],
        holdouts: flags.flatMap((flag) => flag.result.holdoutsEvaluations),
      };
      return snapshot;
    },
    overrides: { set: vi.fn(), clear: vi.fn(), list: () => ({}) },
    setUser: unused,
    clearUser: unused,
    getFlag: unused,
    getFlags: unused,
    getAllFlags: unused,
    getFlagKeys: unused,
    close: vi.fn(),
  };
}
