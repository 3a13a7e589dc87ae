import type { Ask } from "./ask";
import type { FlagCache, FlagClientOptions, FlagResult } from "./flag-client";
import type { Keep } from "./keep";
import type { Managers } from "./managers";
import type { Overrides } from "./overrides";
import type { Person } from "./person";
import type { News, Records } from "./records";
import type { Subscriptions } from "./subscriptions";
import type { Request } from "./transport";
import type { Upkeep } from "./upkeep";

export interface Metric {
  readonly metric: string;
  readonly value: number;
}

/** Somebody was shown something, or did something, at this time. */
export type Note = readonly [person: Person, what: FlagResult | Metric, atMs: number];

/** What the parts of one client share. */
export interface Core {
  readonly options: FlagClientOptions;
  readonly managers: Managers;
  readonly base: string;
  readonly request: Request;
  readonly cache: FlagCache | null;
  readonly keep: Keep;
  readonly overrides: Overrides;
  readonly subscriptions: Subscriptions;
  readonly records: Records;
  readonly ask: Ask;
  readonly apiVersion: string;
  readonly ttlMs: number;
  /** Of this client alone among those of the browser, and the same in every tab. */
  readonly name: string;
  /** Another object with every change of person or attributes. */
  person: Person | undefined;
  /** Resolves when what is stored of this person is in memory, however long that takes. */
  restoring: Promise<unknown>;
  /** As that, but no longer than a request can wait. */
  loading: Promise<unknown>;
  /** Stands for a value. Here and not imported, so that the upkeep shares no chunk with the core. */
  digest(value: unknown): string;
  /** What is to be counted, until the upkeep does it. */
  readonly notes: Note[];
  /** Some of these flags are not what they were. */
  changed(keys: readonly string[]): void;
  /** To the other tabs. */
  post(news: News): void;
  /** Asks for what is missing or stale, all in one request. */
  refresh(): void;
  /** The request that will bring these, if one is under way. */
  bringing(keys: readonly string[]): Promise<void> | undefined;
  report(key: string, result: FlagResult): void;
  note(what: FlagResult | Metric): void;
  /** What was given stands in the browser's own storage before it is given. */
  noted(): Promise<unknown>;
  /** The upkeep, or nothing where it cannot be had. */
  load(): Promise<Upkeep | undefined>;
  /** The outcome of `work`, or nothing when it fails or takes too long. */
  within<T>(limitMs: number, work: Promise<T>): Promise<T | undefined>;
  /** What is not supported is said once. */
  unsupported(): void;
}

/** Longer than any healthy storage takes, and short beside the 3 s that a person may wait. */
export const CACHE_MS = 1_000;
/** For what the interface waits for. */
export const BLOCKING_MS = 3_000;
