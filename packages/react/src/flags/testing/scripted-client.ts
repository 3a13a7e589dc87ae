import type {
  FlagClient,
  FlagResult,
  FlagSnapshot,
  FlagValue,
  Peeked,
} from "@musette/client/flags";
import { act } from "react";
import { vi } from "vitest";

/** A client that knows what it is told, when it is told. */
export interface ScriptedClient extends FlagClient {
  /** Puts answers in place, and tells whoever listens. */
  answer(answers: Readonly<Record<string, Peeked>>): Promise<void>;
  /** Forgets every value, like a change of the person does. */
  forget(): Promise<void>;
  /** The flags that somebody is subscribed to, each as often as it is. */
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

export function scriptedClient(known: Readonly<Record<string, Peeked>> = {}): ScriptedClient {
  const answers = new Map(Object.entries(known));
  const heard = new Map<() => void, readonly string[]>();
  const readyFor = new Set<{ readonly keys: readonly string[]; readonly done: () => void }>();
  let snapshot: FlagSnapshot | undefined;
  const unused = () => Promise.reject(new Error("No hook calls this"));

  return {
    async answer(more) {
      await act(async () => {
        for (const [key, peeked] of Object.entries(more)) answers.set(key, peeked);
        snapshot = undefined;
        for (const wait of readyFor) if (wait.keys.every((key) => answers.has(key))) wait.done();
        for (const listener of [...heard.keys()]) listener();
      });
    },
    async forget() {
      answers.clear();
      await this.answer({});
    },
    get subscribed() {
      return [...heard.values()].flat();
    },
    reportExposure: vi.fn(),
    reportMetric: vi.fn(),
    peek: ((key: string) => answers.get(key)) as FlagClient["peek"],
    subscribe(keys, listener) {
      const own = () => listener();
      heard.set(own, keys);
      return () => heard.delete(own);
    },
    ready: (keys) =>
      new Promise((done) => {
        if (keys.every((key) => answers.has(key))) done();
        else readyFor.add({ keys, done });
      }),
    snapshot() {
      const flags = [...answers].map(([key, peeked]) => ({ key, ...peeked, overridden: false }));
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
