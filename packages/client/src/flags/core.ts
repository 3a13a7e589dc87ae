import type { Ask } from "./ask";
import type { FlagCache, FlagEvent, FlagResult, Peeked } from "./flag-client";
import type { Keep } from "./keep";
import type { Managers } from "./managers";
import type { Person } from "./person";
import type { News, Records } from "./records";
import type { Subscriptions } from "./subscriptions";
import type { Request } from "./transport";

type OverridePeeked = Peeked & { readonly result: FlagResult };

/** What the parts of one client share. */
export interface Core {
  readonly managers: Managers;
  readonly base: string;
  readonly request: Request;
  readonly cache: FlagCache | null;
  readonly keep: Keep;
  readonly subscriptions: Subscriptions;
  readonly records: Records;
  readonly ask: Ask;
  readonly apiVersion: string;
  readonly ttlMs: number;
  /** No stream of changes is wanted. */
  readonly isStill: boolean;
  /** Of this client alone among those of the browser, and the same in every tab. */
  readonly name: string;
  /** Another object with every change of person or attributes. */
  person: Person | undefined;
  /** Resolves when what is stored of this person is in memory, however long that takes. */
  restoring: Promise<unknown>;
  /** As that, but no longer than a request can wait. */
  loading: Promise<unknown>;
  /** Told to nobody yet, where there is no local storage. */
  readonly untold: FlagEvent[];
  /** Where the events lie that the service does not have yet. */
  readonly untoldKey: string;
  override(key: string): OverridePeeked | undefined;
  /** Some of these flags are not what they were. */
  changed(keys: readonly string[]): void;
  /** To the other tabs. */
  post(news: News): void;
  /** Asks for what is missing or stale, all in one request. */
  refresh(): void;
  /** The request that will bring these, if one is under way. */
  bringing(keys: readonly string[]): Promise<void> | undefined;
  report(key: string, result: FlagResult): void;
  /** The outcome of `work`, or nothing when it fails or takes too long. */
  within<T>(limitMs: number, work: Promise<T>): Promise<T | undefined>;
  /** What is not supported is said once. */
  unsupported(): void;
}

/** Longer than any healthy storage takes, and short beside the 3 s that a person may wait. */
export const CACHE_MS = 1_000;
/** For what the interface waits for. */
export const BLOCKING_MS = 3_000;
