import type {
  ExperimentAssignment,
  FlagClient,
  FlagResult,
  FlagSnapshot,
  FlagUser,
  FlagValue,
  Peeked,
} from "../flag-client";

/** A flag client for tests. The test sets the values of the flags. */
export interface TestFlags extends FlagClient {
  /** Sets the value of a flag for every user and notifies subscribers. */
  set(key: string, value: FlagValue | Partial<FlagResult>): void;
  /** Makes every flag return its fallback, as if the service were unreachable. */
  fail(): void;
  /** The flags whose participation was reported, in order of the first report. */
  readonly exposures: readonly string[];
  /** The reported metric values in order. */
  readonly metrics: readonly { readonly metric: string; readonly value: number }[];
}

type FlagValues = Readonly<Record<string, FlagValue | Partial<FlagResult>>>;

const isPartial = (value: FlagValue | Partial<FlagResult>): value is Partial<FlagResult> =>
  typeof value === "object" && value !== null && ("variation" in value || "explanation" in value);

function resultOf(value: FlagValue | Partial<FlagResult>): FlagResult {
  const partial = isPartial(value) ? value : { variation: value };
  return {
    variation: null,
    abTest: partial.experiment !== undefined,
    explanation: { kind: partial.experiment ? "AB_TEST" : "RULE", from: "test" },
    relevantContext: [],
    holdoutsEvaluations: [],
    ...partial,
  };
}

const fallback = (from: string): FlagResult<null> => ({
  ...resultOf(null),
  variation: null,
  explanation: { kind: from === "error:FLAG_NOT_FOUND" ? "ERROR" : "FALLBACK", from },
});

/**
 * Creates a flag client for the tests of a host application. It has a user and returns values at once,
 * without network and storage. A flag can be a plain value, or a result with an experiment or holdouts.
 *
 * @example
 * const flags = createTestFlags({ "quest-cards": true });
 * flags.set("quest-cards", { variation: false });
 * flags.fail();
 */
export function createTestFlags(values: FlagValues = {}): TestFlags {
  const results = new Map(Object.entries(values).map(([key, value]) => [key, resultOf(value)]));
  const peeked = new Map<string, Peeked>();
  const overrides = new Map<string, FlagValue>();
  const listeners = new Set<{ keys: ReadonlySet<string>; run: () => void }>();
  const exposures: string[] = [];
  const metrics: { metric: string; value: number }[] = [];
  let user: FlagUser | undefined = { key: "test" };
  let hasFailed = false;
  let listed: Readonly<Record<string, FlagValue>> = {};
  let last: FlagSnapshot | undefined;

  function notifyChange(key?: string) {
    peeked.clear();
    last = undefined;
    listed = Object.fromEntries(overrides);
    for (const { keys, run } of [...listeners]) if (!key || !keys.size || keys.has(key)) run();
  }

  function peek(key: string): Peeked {
    const before = peeked.get(key);
    if (before) return before;
    const override = overrides.get(key);
    const result = override === undefined ? !hasFailed && results.get(key) : resultOf(override);
    const created: Peeked = result
      ? { result, status: result.variation === null ? "fallback" : "fresh" }
      : {
          result: fallback(hasFailed ? "client:network" : "error:FLAG_NOT_FOUND"),
          status: "fallback",
        };
    peeked.set(key, created);
    return created;
  }

  function resolve(key: string, fallbackValue: FlagValue): FlagResult {
    if (!user) throw new Error("Can't request flags until you set a user context");
    const { result, status } = peek(key);
    if (status === "fallback") return { ...result, variation: fallbackValue };
    if (!overrides.has(key)) client.reportExposure(key);
    return result;
  }

  const all = () => [...new Set([...results.keys(), ...overrides.keys()])];
  const client = {
    exposures,
    metrics,
    set(key: string, value: FlagValue | Partial<FlagResult>) {
      results.set(key, resultOf(value));
      notifyChange(key);
    },
    fail() {
      hasFailed = true;
      notifyChange();
    },
    async setUser(next: FlagUser) {
      user = next;
      notifyChange();
    },
    async clearUser() {
      user = undefined;
      notifyChange();
    },
    getFlag: async (key: string, fallbackValue: FlagValue) => resolve(key, fallbackValue),
    async getFlags(keys: readonly string[], fallbacks: Readonly<Record<string, FlagValue>> = {}) {
      return Object.fromEntries(keys.map((key) => [key, resolve(key, fallbacks[key] ?? null)]));
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
        notifyChange(key);
      },
      clear(key?: string) {
        if (key === undefined) overrides.clear();
        else overrides.delete(key);
        notifyChange(key);
      },
      list: () => listed,
    },
    snapshot(): FlagSnapshot {
      const flags = all().map((key) => ({ ...peek(key), key, overridden: overrides.has(key) }));
      const experiments: (ExperimentAssignment & { flag: string })[] = flags.flatMap(
        ({ key, result: { experiment } }) => (experiment ? [{ ...experiment, flag: key }] : []),
      );
      const holdouts = new Map(
        flags.flatMap(({ result }) =>
          result.holdoutsEvaluations.map((holdout) => [holdout.key, holdout]),
        ),
      );
      last ??= { user, version: undefined, flags, experiments, holdouts: [...holdouts.values()] };
      return last;
    },
    close: () => listeners.clear(),
  };
  // Keys and values are untyped here. The host's generated file gives them their types.
  return client as unknown as TestFlags;
}
