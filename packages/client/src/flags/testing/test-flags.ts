import type {
  ExperimentAssignment,
  FlagClient,
  FlagResult,
  FlagSnapshot,
  FlagUser,
  FlagValue,
  Peeked,
} from "../flag-client";

/** A flag client whose answers a test sets. */
export interface TestFlags extends FlagClient {
  /** From now on, for whoever is the user. */
  set(key: string, value: FlagValue | Partial<FlagResult>): void;
  /** Lets every flag fall back, like a service that is away. */
  fail(): void;
  /** The flags whose participation was reported, in this order. */
  readonly exposures: readonly string[];
  /** What was reported of metrics, in this order. */
  readonly metrics: readonly { readonly metric: string; readonly value: number }[];
}

type Given = Readonly<Record<string, FlagValue | Partial<FlagResult>>>;

const isPartial = (value: FlagValue | Partial<FlagResult>): value is Partial<FlagResult> =>
  typeof value === "object" && value !== null && ("variation" in value || "explanation" in value);

function resultOf(value: FlagValue | Partial<FlagResult>): FlagResult {
  const given = isPartial(value) ? value : { variation: value };
  return {
    variation: null,
    abTest: given.experiment !== undefined,
    explanation: { kind: given.experiment ? "AB_TEST" : "RULE", from: "test" },
    relevantContext: [],
    holdoutsEvaluations: [],
    ...given,
  };
}

const fallback = (from: string): FlagResult<null> => ({
  ...resultOf(null),
  variation: null,
  explanation: { kind: from === "error:FLAG_NOT_FOUND" ? "ERROR" : "FALLBACK", from },
});

/**
 * A flag client for the tests of a host: at once, without network and storage, and with a user. A
 * value, or where it matters a result with its experiment or holdouts:
 * `createTestFlags({ "quest-cards": true })`.
 */
export function createTestFlags(values: Given = {}): TestFlags {
  const results = new Map(Object.entries(values).map(([key, value]) => [key, resultOf(value)]));
  const peeked = new Map<string, Peeked>();
  const overrides = new Map<string, FlagValue>();
  const listeners = new Set<{ keys: ReadonlySet<string>; run: () => void }>();
  const exposures: string[] = [];
  const metrics: { metric: string; value: number }[] = [];
  let user: FlagUser | undefined = { key: "test" };
  let isAway = false;
  let listed: Readonly<Record<string, FlagValue>> = {};
  let last: FlagSnapshot | undefined;

  function changed(key?: string) {
    peeked.clear();
    last = undefined;
    listed = Object.fromEntries(overrides);
    for (const { keys, run } of [...listeners]) if (!key || !keys.size || keys.has(key)) run();
  }

  function peek(key: string): Peeked {
    const before = peeked.get(key);
    if (before) return before;
    const forced = overrides.get(key);
    const known = forced === undefined ? !isAway && results.get(key) : resultOf(forced);
    const found: Peeked = known
      ? { result: known, status: known.variation === null ? "fallback" : "fresh" }
      : {
          result: fallback(isAway ? "client:network" : "error:FLAG_NOT_FOUND"),
          status: "fallback",
        };
    peeked.set(key, found);
    return found;
  }

  function answer(key: string, instead: FlagValue): FlagResult {
    if (!user) throw new Error("Can't request flags until you set a user context");
    const { result, status } = peek(key);
    if (status === "fallback") return { ...result, variation: instead };
    if (!overrides.has(key)) client.reportExposure(key);
    return result;
  }

  const all = () => [...new Set([...results.keys(), ...overrides.keys()])];
  const client = {
    exposures,
    metrics,
    set(key: string, value: FlagValue | Partial<FlagResult>) {
      results.set(key, resultOf(value));
      changed(key);
    },
    fail() {
      isAway = true;
      changed();
    },
    async setUser(next: FlagUser) {
      user = next;
      changed();
    },
    async clearUser() {
      user = undefined;
      changed();
    },
    getFlag: async (key: string, instead: FlagValue) => answer(key, instead),
    async getFlags(keys: readonly string[], instead: Readonly<Record<string, FlagValue>> = {}) {
      return Object.fromEntries(keys.map((key) => [key, answer(key, instead[key] ?? null)]));
    },
    getAllFlags: async () => Object.fromEntries(all().map((key) => [key, peek(key).result])),
    getFlagKeys: async () => [...results.keys()],
    peek,
    subscribe(keys: readonly string[], run: () => void) {
      const listener = { keys: new Set(keys), run };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    ready: async () => {},
    reportExposure(key: string) {
      const { experiment, holdoutsEvaluations } = peek(key).result;
      const isCounted = experiment || holdoutsEvaluations.some(({ group }) => group !== "GENERAL");
      if (isCounted && !exposures.includes(key)) exposures.push(key);
    },
    reportMetric: (metric: string, value = 1) => void metrics.push({ metric, value }),
    overrides: {
      set(key: string, value: FlagValue) {
        overrides.set(key, value);
        changed(key);
      },
      clear(key?: string) {
        if (key === undefined) overrides.clear();
        else overrides.delete(key);
        changed(key);
      },
      list: () => listed,
    },
    snapshot(): FlagSnapshot {
      const flags = all().map((key) => ({ ...peek(key), key, overridden: overrides.has(key) }));
      const experiments: (ExperimentAssignment & { flag: string })[] = flags.flatMap(
        ({ key, result: { experiment } }) => (experiment ? [{ ...experiment, flag: key }] : []),
      );
      const holdouts = new Map(
        flags.flatMap(({ result }) => result.holdoutsEvaluations.map((it) => [it.key, it])),
      );
      last ??= { user, version: undefined, flags, experiments, holdouts: [...holdouts.values()] };
      return last;
    },
    close: () => listeners.clear(),
  };
  // The types of keys and values are made by the host's generated file; here they are any.
  return client as unknown as TestFlags;
}
