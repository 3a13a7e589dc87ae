import { failureKind } from "@musette/client/terms";
import { session } from "../session/session";
import { readStored, writeStored } from "../storage/storage";

const KEY = "musette.kept";
/** Receipts of riders, which go with the tab. */
const RECEIPTS = "musette.receipts";
/** Kept for as long as ticks that were not sent. */
const LIFETIME_MS = 24 * 3600_000;
const CLOCK_SLACK_MS = 5 * 60_000;
const MOST = 16;

/** What the server last answered, for as long as there is no network to ask again. */
export interface KeptAnswer<T> {
  readonly value: T;
  /** When it was given, in milliseconds by this device's clock. */
  readonly at: number;
}

interface Kept {
  readonly holder: string;
  readonly answers: Readonly<Record<string, KeptAnswer<unknown>>>;
}

/** One sign-in of one account: the same person's next sign-in finds nothing either. */
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

function stored(): Kept | undefined {
  try {
    return JSON.parse(readStored("localStorage", KEY) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

function ofHolder(holder: string | undefined): Kept["answers"] {
  const kept = stored();
  return holder !== undefined && kept?.holder === holder ? kept.answers : {};
}

/** What is kept of the person who is signed in now; of nobody else, and nothing of yesterday. */
export function keptAnswer<T>(name: string): KeptAnswer<T> | undefined {
  const kept = ofHolder(currentHolder())[name];
  const age = Date.now() - (kept?.at ?? 0);
  return kept && age < LIFETIME_MS && age > -CLOCK_SLACK_MS ? (kept as KeptAnswer<T>) : undefined;
}

/** Asks, and keeps the answer if the person who asked is still the one who is signed in. */
export async function askAndKeep<T>(name: string, ask: () => Promise<T>): Promise<T> {
  const holder = currentHolder();
  const value = await ask();
  if (holder !== undefined && holder === currentHolder()) keepFor(holder, name, value);
  return value;
}

/** Keeps what this person was given; nothing if somebody else is signed in by now. */
export function keepOf(userId: string, name: string, value: unknown): void {
  const holder = currentHolder();
  if (holder !== undefined && session.getState().userId === userId) keepFor(holder, name, value);
}

function keepFor(holder: string, name: string, value: unknown): void {
  const others = Object.entries(ofHolder(holder)).filter(([other]) => other !== name);
  const newest = others.sort(([, a], [, b]) => b.at - a.at).slice(0, MOST - 1);
  const answers = Object.fromEntries([[name, { value, at: Date.now() }], ...newest]);
  writeStored("localStorage", KEY, JSON.stringify({ holder, answers } satisfies Kept));
}

/** No answer came, or none of ours: what was answered before may be shown, with its time. */
export function isUnanswered(error: unknown): boolean {
  return ["offline", "server"].includes(failureKind(error));
}

/** Once at the start and after each change of the session: what is kept never outlives a sign-out. */
export function forgetOthersAnswers(): void {
  const holder = currentHolder();
  const kept = stored();
  if (kept && kept.holder !== holder) writeStored("localStorage", KEY, undefined);
  if (holder === undefined) writeStored("sessionStorage", RECEIPTS, undefined);
}

export function guardKeptAnswers(): void {
  forgetOthersAnswers();
  session.subscribe(forgetOthersAnswers);
  // The host's app may have signed the person out by its own means.
  addEventListener("pageshow", forgetOthersAnswers);
  document.addEventListener("visibilitychange", forgetOthersAnswers);
}
