import type { Schema } from "../api";
import type { Fetch } from "../http";

/** The value of a flag: any JSON value. */
export type FlagValue =
  | boolean
  | number
  | string
  | null
  | readonly FlagValue[]
  | { readonly [name: string]: FlagValue };

/**
 * The flags of the host and the types of their values. Empty in this package: the file that
 * `musette flags types` writes extends it. The compiler then checks keys and values everywhere.
 *
 * @example
 * declare module "@musette/client/flags" {
 *   interface FlagTypes {
 *     "new-map": boolean;
 *   }
 * }
 */
// biome-ignore lint/suspicious/noEmptyInterface: hosts cannot extend a type alias.
export interface FlagTypes {}

/** The key of a flag: a key of the host's `FlagTypes`, or any string if that is empty. */
export type FlagKey = keyof FlagTypes extends never ? string : keyof FlagTypes & string;

/** The type of a flag's value according to `FlagTypes`; any JSON value for a flag that is not in there. */
export type ValueOf<K extends string> = K extends keyof FlagTypes
  ? FlagTypes[K] extends FlagValue
    ? FlagTypes[K]
    : FlagValue
  : FlagValue;

/** The general type of a fallback: `boolean` for `true`, because the service may answer `false`. */
export type Widened<T> = T extends boolean
  ? boolean
  : T extends number
    ? number
    : T extends string
      ? string
      : T;

/** The type of the value from `getFlag(key, fallback)`: from `FlagTypes`, otherwise from the fallback. */
export type Answered<K extends string, T> = K extends keyof FlagTypes ? ValueOf<K> : Widened<T>;

/** The attributes of a user that targeting rules can read. `key` is the default randomization unit. */
export interface FlagUser {
  readonly key?: string;
  readonly userId?: string;
  readonly googleClientId?: string;
  readonly email?: string;
  readonly [attribute: string]: FlagValue | undefined;
}

/** The step of the evaluation that determined the result. */
export type FlagKind =
  | Schema<"ExplanationKind">
  /** Set by this client only: the service did not respond, and no result was stored. */
  | "FALLBACK";

/** The reason for a result. */
export interface Explanation extends Omit<Schema<"ExplanationBody">, "kind" | "from"> {
  readonly kind: FlagKind;
  /** For example `rule:ID` or `experiment:KEY`. This client sets `client:timeout`, `client:override`, … */
  readonly from: string;
}

/** The user's group in a holdout that applies to the flag. */
export interface HoldoutEvaluation extends Schema<"HoldoutEvaluationBody"> {
  readonly phase?: number;
  /** The attribute that serves as the randomization unit, if the service names it. */
  readonly unit?: string;
}

/** The experiment that the user takes part in. */
export interface ExperimentAssignment extends Schema<"ParticipationBody"> {
  /** The attribute that serves as the randomization unit, if the service names it. */
  readonly unit?: string;
}

/** The result of evaluating one flag. */
export interface FlagResult<T = FlagValue> {
  readonly variation: T;
  readonly abTest: boolean;
  readonly explanation: Explanation;
  /** The attributes that the result can depend on; with the debug permission, with the values received. */
  readonly relevantContext: readonly string[] | Readonly<Record<string, FlagValue>>;
  readonly holdoutsEvaluations: readonly HoldoutEvaluation[];
  /** ISO timestamp of when the result was stored on this device; absent if it was not stored. */
  readonly dateCached?: string;
  readonly variationKey?: string;
  /** Version of the configuration that produced the result. */
  readonly version?: number;
  readonly experiment?: ExperimentAssignment;
  /** Present with the option `debug` and a key that has the debug permission. */
  readonly trace?: readonly unknown[];
}

/**
 * How current a value is: `loading` before there is one, `cached` from an earlier visit, `fresh` if the
 * service confirmed it, or `fallback`.
 */
export type FlagStatus = "loading" | "cached" | "fresh" | "fallback";

/** The current result of a flag and its status. The same object until one of them changes. */
export interface Peeked<T = FlagValue> {
  readonly result: FlagResult<T | null>;
  /**
   * `fresh`: the service confirmed the result since the page was loaded, and it is not stale. `cached`:
   * the result is from an earlier visit or the bootstrap, or it is stale. `fallback`: there is no result.
   * Then `result.explanation` says why and `result.variation` is null: use your own fallback.
   */
  readonly status: Exclude<FlagStatus, "loading">;
}

/** A participation in an experiment or a holdout, as it is reported to the service. */
export type FlagEvent = {
  /** Equal for one participation on all devices, so that the service counts it once. */
  readonly id: string;
  readonly unit: string;
  readonly at: string;
} & (
  | {
      readonly name: "ab_test.participated";
      readonly experiment: string;
      readonly phase: number;
      readonly variation: string;
    }
  | {
      readonly name: "holdout_group.participated";
      readonly holdout: string;
      readonly group: "HELD_OUT" | "COMPARISON";
    }
);

/** A store for results between visits. It may be synchronous and may fail; the client never waits for it long. */
export interface FlagCache {
  get(key: string): unknown;
  /** Returns all values whose key has this prefix, in any order. Optional: only if faster than single reads. */
  getAll?(prefix: string): unknown;
  set(key: string, value: unknown): unknown;
  delete(key: string): unknown;
  clear(): unknown;
}

/** Results that a server has evaluated, so that the first render needs no request. Treated like cached results. */
export interface FlagBootstrap {
  readonly user: FlagUser;
  readonly flags: Readonly<Record<string, FlagResult>>;
}

/** A region of the service. The option `regions` has its address. */
export type Region = "us" | "eu" | "ap" | "me" | "sg";

/** Options of `createFlagClient`. */
export interface FlagClientOptions {
  /** A key of the environment, of the kind `client`. */
  readonly token: string;
  /** The address `{origin}/api/flags`. Overrides `region`. Default without both: the page's own origin. */
  readonly baseUrl?: string;
  /** The region to use. Its address must be in `regions`. */
  readonly region?: Region;
  /** The addresses of the regions. */
  readonly regions?: Readonly<Partial<Record<Region, string>>>;
  /** `v1`, `v2` or `v3`. Default `v3`. The client treats any other value as `v2`. */
  readonly apiVersion?: string;
  /** Where the client stores results between visits. Default `indexeddb`; null stores none. */
  readonly cache?: "indexeddb" | "memory" | null | FlagCache;
  /** The flags that the client caches and refreshes. It fetches all other flags on every call. */
  readonly subscribe?: readonly FlagKey[];
  /** How long a result is fresh, in milliseconds. Default 900,000 (15 minutes). */
  readonly ttlMs?: number;
  /** Called with each reported participation. An error that it throws appears in the console. */
  readonly onEvent?: (event: FlagEvent) => void;
  /** Sends the requests. Default: the global `fetch`. */
  readonly fetch?: Fetch;
  /** Requests a trace of the rules. The key needs the debug permission. */
  readonly debug?: boolean;
  /** The user and the results with which a server rendered the page. */
  readonly bootstrap?: FlagBootstrap;
  /** `false` disables the stream of changes: the client then refreshes results by age only. Default `true`. */
  readonly stream?: boolean;
}

/** Values that a developer sets on this device. They override the service and report no participation. */
export interface FlagOverrides {
  /** Overrides a value on this device, in this tab and in tabs opened later. */
  set<K extends FlagKey>(key: K, value: ValueOf<K>): void;
  /** Removes the override of a flag, or all overrides without a key. */
  clear(key?: FlagKey): void;
  /** Returns the overrides: the same object until an override changes, so that identities can be compared. */
  list(): Readonly<Record<string, FlagValue>>;
}

/** The complete state of a client, for developer tools. */
export interface FlagSnapshot {
  readonly user?: FlagUser | undefined;
  /** Version of the configuration, if the API version provides it. */
  readonly version?: number | undefined;
  readonly flags: readonly (Peeked & { readonly key: string; readonly overridden: boolean })[];
  readonly experiments: readonly (ExperimentAssignment & { readonly flag: string })[];
  readonly holdouts: readonly HoldoutEvaluation[];
}

/**
 * A client of the flag service. Methods that wait for the service settle within 3 s. They do not reject
 * because of network errors.
 */
export interface FlagClient {
  /**
   * Sets the user to evaluate the flags for. Resolves when the stored results of this user are in memory.
   * Meanwhile the client fetches subscribed flags that are missing or stale. Never rejects.
   */
  setUser(user: FlagUser): Promise<void>;
  /** Removes the user and their results. Rejects if the results could not be removed from this device. */
  clearUser(): Promise<void>;
  /**
   * Returns a flag from memory, the cache or the service. After 3 s it returns the fallback.
   *
   * @throws Error before `setUser`: `Can't request flags until you set a user context`.
   *
   * @example
   * const { variation } = await flags.getFlag("new-map", false);
   */
  getFlag<K extends FlagKey, T extends ValueOf<K>>(
    key: K,
    fallback: T,
  ): Promise<FlagResult<Answered<K, T>>>;
  /**
   * Returns several flags as `getFlag` does, in one request. The default fallback is null.
   *
   * @throws Error before `setUser`, or if `keys` is empty.
   */
  getFlags<K extends FlagKey>(
    keys: readonly K[],
    fallbacks?: { readonly [Key in K]?: ValueOf<Key> },
  ): Promise<{ readonly [Key in K]: FlagResult<ValueOf<Key> | null> }>;
  /**
   * Returns all visible flags. If the service does not respond, it returns the cached flags.
   *
   * @throws Error before `setUser`, or with an API version other than v3.
   */
  getAllFlags(): Promise<Readonly<Record<string, FlagResult>>>;
  /**
   * Returns the keys of all visible flags. If the service does not respond, it returns the last known keys.
   *
   * @throws Error before `setUser`.
   */
  getFlagKeys(): Promise<readonly string[]>;
  /** Returns the current result without a request; undefined if there is none yet. Reports no participation. */
  peek<K extends FlagKey>(key: K): Peeked<ValueOf<K>> | undefined;
  /**
   * Subscribes to flags, fetches the missing ones in one request, and calls `listener` on every change.
   * Without keys it subscribes to no flag, but calls `listener` on every change of any flag. Returns a
   * function that unsubscribes.
   *
   * @example
   * const unsubscribe = flags.subscribe(["new-map"], () => {
   *   showMap(flags.peek("new-map")?.result.variation);
   * });
   */
  subscribe(keys: readonly FlagKey[], listener: () => void): () => void;
  /** Resolves when `peek` has a result for each key, after 3 s at the latest. Never rejects. */
  ready(keys: readonly FlagKey[]): Promise<void>;
  /** Reports once that the user saw this flag. Needed after `peek`; `getFlag` and `getFlags` report by themselves. */
  reportExposure(key: FlagKey): void;
  /**
   * Reports an action of the user as a metric value. It counts in the experiments and holdouts that the
   * user is in, under the randomization unit of each. The service accepts it only if the configuration
   * declares the metric and sets `clientMetrics`. Otherwise the client drops it.
   */
  reportMetric(metric: string, value?: number): void;
  /** Values that a developer sets on this device. */
  readonly overrides: FlagOverrides;
  /** Returns the complete state for developer tools: the same object until something changes. */
  snapshot(): FlagSnapshot;
  /** Sends pending reports and stops timers, listeners and the stream. */
  close(): void;
}
