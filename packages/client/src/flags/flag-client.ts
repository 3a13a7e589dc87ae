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
 * Empty here. The file that `musette flags types` writes fills it in, by
 * `declare module "@musette/client/flags"`: then keys and values are checked everywhere.
 */
// biome-ignore lint/suspicious/noEmptyInterface: a type alias could not be filled in from outside.
export interface FlagTypes {}

/** The key of a flag: of the host's generated types, else any string. */
export type FlagKey = keyof FlagTypes extends never ? string : keyof FlagTypes & string;

/** The type of the value of a flag, by the generated types; else any JSON value. */
export type ValueOf<K extends string> = K extends keyof FlagTypes
  ? FlagTypes[K] extends FlagValue
    ? FlagTypes[K]
    : FlagValue
  : FlagValue;

/** `true` as a fallback stands for any boolean: the answer may well be `false`. */
export type Widened<T> = T extends boolean
  ? boolean
  : T extends number
    ? number
    : T extends string
      ? string
      : T;

/** What `getFlag(key, fallback)` gives: by the generated types, else by the fallback. */
export type Answered<K extends string, T> = K extends keyof FlagTypes ? ValueOf<K> : Widened<T>;

/** The attributes of a user that rules may read. `key` is the default unit that is drawn by. */
export interface FlagUser {
  readonly key?: string;
  readonly userId?: string;
  readonly googleClientId?: string;
  readonly email?: string;
  readonly [attribute: string]: FlagValue | undefined;
}

/** The step of an evaluation that decided. */
export type FlagKind =
  | Schema<"ExplanationKind">
  /** Only from this client: the service did not answer, and nothing was stored. */
  | "FALLBACK";

/** What decided a result. */
export interface Explanation extends Omit<Schema<"ExplanationBody">, "kind" | "from"> {
  readonly kind: FlagKind;
  /** For example `rule:ID` or `experiment:KEY`; set by this client: `client:timeout`, `client:override`, … */
  readonly from: string;
}

/** The person's group in a holdout that applies to the flag. */
export interface HoldoutEvaluation extends Schema<"HoldoutEvaluationBody"> {
  readonly phase?: number;
  /** The attribute that was drawn by, where the service names it. */
  readonly unit?: string;
}

/** The experiment that the person takes part in. */
export interface ExperimentAssignment extends Schema<"ParticipationBody"> {
  /** The attribute that was drawn by, where the service names it. */
  readonly unit?: string;
}

/** The result of evaluating one flag. */
export interface FlagResult<T = FlagValue> {
  readonly variation: T;
  readonly abTest: boolean;
  readonly explanation: Explanation;
  /** The attributes that the answer can depend on; with the debug right, as the service saw them. */
  readonly relevantContext: readonly string[] | Readonly<Record<string, FlagValue>>;
  readonly holdoutsEvaluations: readonly HoldoutEvaluation[];
  /** ISO instant at which it was stored on this device; absent where it was not. */
  readonly dateCached?: string;
  readonly variationKey?: string;
  /** Version of the configuration that it comes from. */
  readonly version?: number;
  readonly experiment?: ExperimentAssignment;
  /** With `debug`, and a key that has the right. */
  readonly trace?: readonly unknown[];
}

/**
 * How current a value is: nothing known yet, from an earlier visit, confirmed, or the fallback.
 */
export type FlagStatus = "loading" | "cached" | "fresh" | "fallback";

/** What is known now. The same object until something changes. */
export interface Peeked<T = FlagValue> {
  readonly result: FlagResult<T | null>;
  /**
   * `fresh`: the service confirmed it since the page was loaded, and it is not stale. `cached`: from
   * an earlier visit or the bootstrap, or stale. `fallback`: there is none, `result.explanation`
   * says why, and `result.variation` is null: show your own.
   */
  readonly status: Exclude<FlagStatus, "loading">;
}

/** A participation in an experiment or a holdout, as it is reported to the service. */
export type FlagEvent = {
  /** Identifies a participation across devices, so that the service counts it once. */
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

/** Where results are kept between visits. May be synchronous, may fail; it is never waited for long. */
export interface FlagCache {
  get(key: string): unknown;
  /** Every value whose key begins so, in any order, where that costs less than one by one. */
  getAll?(beginning: string): unknown;
  set(key: string, value: unknown): unknown;
  delete(key: string): unknown;
  clear(): unknown;
}

/** What a server already knows, so that the first render needs no request. An ordinary layer of cache. */
export interface FlagBootstrap {
  readonly user: FlagUser;
  readonly flags: Readonly<Record<string, FlagResult>>;
}

/** A region whose address stands in `regions`. */
export type Region = "us" | "eu" | "ap" | "me" | "sg";

/** Options of `createFlagClient`. */
export interface FlagClientOptions {
  /** The key of the environment, of the kind `client`. */
  readonly token: string;
  /** `{origin}/api/flags`. Wins over `region`; without both, the page's own origin. */
  readonly baseUrl?: string;
  readonly region?: Region;
  /** The addresses of the regions. */
  readonly regions?: Readonly<Partial<Record<Region, string>>>;
  /** `v1`, `v2` or `v3`, which is the default. Anything else is `v2`. */
  readonly apiVersion?: string;
  /** Where results are kept between visits. Default `indexeddb`; null keeps none. */
  readonly cache?: "indexeddb" | "memory" | null | FlagCache;
  /** The flags that are kept and refreshed. Others are asked for anew each time. */
  readonly subscribe?: readonly FlagKey[];
  /** How long a result is fresh, in milliseconds. Default 900,000 (15 minutes). */
  readonly ttlMs?: number;
  /** Called with each participation that is reported. What it throws shows in the console. */
  readonly onEvent?: (event: FlagEvent) => void;
  /** Sends the requests. Default: the global `fetch`. */
  readonly fetch?: Fetch;
  /** Asks for a trace of the rules; the key needs the right. */
  readonly debug?: boolean;
  /** The user and results that the page was drawn with on a server. */
  readonly bootstrap?: FlagBootstrap;
  /** `false` opens no stream of changes; results are then refreshed by age alone. Default `true`. */
  readonly stream?: boolean;
}

/** Values that a developer sets on this device. They win over the service and report nothing. */
export interface FlagOverrides {
  /** Overrides a value on this device, in this tab and those opened later. Reports no participation. */
  set<K extends FlagKey>(key: K, value: ValueOf<K>): void;
  /** Without a key, all. */
  clear(key?: FlagKey): void;
  /** One object until an override is changed, so that identities can be compared. */
  list(): Readonly<Record<string, FlagValue>>;
}

/** Everything that a client knows, for a developer. */
export interface FlagSnapshot {
  readonly user?: FlagUser | undefined;
  /** Version of the configuration, where the API version has it. */
  readonly version?: number | undefined;
  readonly flags: readonly (Peeked & { readonly key: string; readonly overridden: boolean })[];
  readonly experiments: readonly (ExperimentAssignment & { readonly flag: string })[];
  readonly holdouts: readonly HoldoutEvaluation[];
}

/**
 * A client of the flag service. Methods that wait for the service settle within 3 s and do not reject
 * because of the network.
 */
export interface FlagClient {
  /**
   * Who the flags are for. Resolves when what is stored of this person is in memory; the subscribed
   * flags that are missing or stale are fetched meanwhile. Never rejects.
   */
  setUser(user: FlagUser): Promise<void>;
  /** Rejects when something of the person could not be removed from this device. */
  clearUser(): Promise<void>;
  /**
   * Resolves a flag: from memory, the cache or the service; after 3 s the fallback.
   *
   * @throws Error before `setUser`: `Can't request flags until you set a user context`.
   */
  getFlag<K extends FlagKey, T extends ValueOf<K>>(
    key: K,
    fallback: T,
  ): Promise<FlagResult<Answered<K, T>>>;
  /**
   * Resolves several flags as `getFlag` does, in one request. A flag without a fallback falls back to null.
   *
   * @throws Error before `setUser`, and when `keys` is empty.
   */
  getFlags<K extends FlagKey>(
    keys: readonly K[],
    fallbacks?: { readonly [Key in K]?: ValueOf<Key> },
  ): Promise<{ readonly [Key in K]: FlagResult<ValueOf<Key> | null> }>;
  /**
   * Resolves all visible flags. Without an answer, the cached ones.
   *
   * @throws Error before `setUser`, and with an API version other than v3.
   */
  getAllFlags(): Promise<Readonly<Record<string, FlagResult>>>;
  /**
   * Resolves to the keys of all visible flags; without an answer, those of the last one.
   *
   * @throws Error before `setUser`.
   */
  getFlagKeys(): Promise<readonly string[]>;
  /** What is known without asking; undefined while nothing is. Reports no participation. */
  peek<K extends FlagKey>(key: K): Peeked<ValueOf<K>> | undefined;
  /**
   * Subscribes to the flags until what it returns is called, fetches those that are missing, all in
   * one request, and tells of every change of them. No keys: hears of every change, subscribes to
   * nothing.
   */
  subscribe(keys: readonly FlagKey[], listener: () => void): () => void;
  /** Resolves when `peek` has something for each of them, after 3 s at the latest. Never rejects. */
  ready(keys: readonly FlagKey[]): Promise<void>;
  /** Reports the participation in what decided this flag, once; for those who `peek`. */
  reportExposure(key: FlagKey): void;
  /**
   * Something that this person did, for the results of the experiments and holdouts that they are
   * in: counted under each id that one of these draws by. Taken where the configuration declares the
   * metric and says `clientMetrics`; otherwise the service refuses it, and it is forgotten here.
   */
  reportMetric(metric: string, value?: number): void;
  readonly overrides: FlagOverrides;
  /** Everything that is known, to be shown to a developer. The same object until something changes. */
  snapshot(): FlagSnapshot;
  /** Sends what is still to be reported and lets go of timers, listeners and the stream. */
  close(): void;
}
