import { failureKind } from "@musette/client/terms";
import { session } from "../session/session";
import { readStored, writeStored } from "../storage/storage";

const KEY = "musette.kept";
/** Riders' receipts, which are removed with the tab. */
const RECEIPTS = "musette.receipts";
/** The same time as for ticks that were not sent. */
const LIFETIME_MS = 24 * 3600_000;
const CLOCK_SLACK_MS = 5 * 60_000;
const ANSWERS_MAX = 16;

/** The server's last answer, shown while there is no network. */
export interface StoredAnswer<T> {
  readonly value: T;
  /** When the answer was received, in milliseconds of this device's clock. */
  readonly at: number;
}

interface StoredAnswers {
  readonly holder: string;
  readonly answers: Readonly<Record<string, StoredAnswer<unknown>>>;
}

/** Identifies one sign-in of one account. Answers do not survive into the same person's next sign-in. */
function currentHolder(): string | undefined {
  try {
    const { userId } = session.getState();
    const payload = (session.getToken()?.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/");
    const { sid } = JSON.parse(atob(payload)) as { readonly sid?: unknown };
    return userId && typeof sid === "string" ? `${userId} ${sid}` : undefined;
  } catch {
    return undefined;
  }
}

function stored(): StoredAnswers | undefined {
  try {
    return JSON.parse(readStored("localStorage", KEY) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

function ofHolder(holder: string | undefined): StoredAnswers["answers"] {
  const entry = stored();
  return holder !== undefined && entry?.holder === holder ? entry.answers : {};
}

/** Returns a kept answer of the current sign-in, unless it is older than a day. */
export function storedAnswer<T>(name: string): StoredAnswer<T> | undefined {
  const answer = ofHolder(currentHolder())[name];
  const age = Date.now() - (answer?.at ?? 0);
  return answer && age < LIFETIME_MS && age > -CLOCK_SLACK_MS
    ? (answer as StoredAnswer<T>)
    : undefined;
}

/** Fetches, and keeps the answer if the same person is still signed in. */
export async function fetchAndStore<T>(name: string, ask: () => Promise<T>): Promise<T> {
  const holder = currentHolder();
  const value = await ask();
  if (holder !== undefined && holder === currentHolder()) storeForHolder(holder, name, value);
  return value;
}

/** Keeps a value for this user, unless another user has signed in since. */
export function storeForUser(userId: string, name: string, value: unknown): void {
  const holder = currentHolder();
  if (holder !== undefined && session.getState().userId === userId)
    storeForHolder(holder, name, value);
}

function storeForHolder(holder: string, name: string, value: unknown): void {
  const others = Object.entries(ofHolder(holder)).filter(([other]) => other !== name);
  const newest = others.sort(([, a], [, b]) => b.at - a.at).slice(0, ANSWERS_MAX - 1);
  const answers = Object.fromEntries([[name, { value, at: Date.now() }], ...newest]);
  writeStored("localStorage", KEY, JSON.stringify({ holder, answers } satisfies StoredAnswers));
}

/**
 * Whether the error means that no answer of the server came. The last answer may then be shown,
 * with its time.
 */
export function hasNoAnswer(error: unknown): boolean {
  return ["offline", "server"].includes(failureKind(error));
}

/**
 * Removes the answers of other sign-ins. Runs at the start and after each change of the session, so
 * no answer survives a sign-out.
 */
export function removeOtherAnswers(): void {
  const holder = currentHolder();
  const entry = stored();
  if (entry && entry.holder !== holder) writeStored("localStorage", KEY, undefined);
  if (holder === undefined) writeStored("sessionStorage", RECEIPTS, undefined);
}

export function startRemovingOtherAnswers(): void {
  removeOtherAnswers();
  session.subscribe(removeOtherAnswers);
  // The host's app may have signed the person out by other means.
  addEventListener("pageshow", removeOtherAnswers);
  document.addEventListener("visibilitychange", removeOtherAnswers);
}
