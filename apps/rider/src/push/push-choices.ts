import { readStored, writeStored } from "../storage/storage";
import { PUSH_KEY } from "./push-key";

/** More riders than this are unlikely to share one device. */
const RIDERS_MAX = 20;

export type PushChoice = "on" | "off";

/** The subscription of this browser that the server has. */
export interface SentSubscription {
  readonly userId: string;
  readonly endpoint: string;
  /** When the server confirmed it, in milliseconds of this device's clock. */
  readonly at: number;
}

interface StoredPush {
  /** Identifies this browser among those of a rider. */
  readonly id: string;
  readonly choices: readonly (readonly [userId: string, choice: PushChoice])[];
  readonly sent?: SentSubscription | undefined;
}

function stored(): StoredPush {
  try {
    const value = JSON.parse(readStored("localStorage", PUSH_KEY) ?? "null") as StoredPush | null;
    if (value && typeof value.id === "string" && Array.isArray(value.choices)) return value;
  } catch {
    // Not written by this app.
  }
  return { id: crypto.randomUUID(), choices: [] };
}

const store = (value: StoredPush) =>
  writeStored("localStorage", PUSH_KEY, JSON.stringify(value satisfies StoredPush));

/** Returns the rider's choice on this device. Undefined if they were not asked yet. */
export function choiceOf(userId: string): PushChoice | undefined {
  return stored().choices.find(([rider]) => rider === userId)?.[1];
}

export function storeChoice(userId: string, choice: PushChoice): void {
  const value = stored();
  const others = value.choices.filter(([rider]) => rider !== userId);
  store({ ...value, choices: [...others, [userId, choice] as const].slice(-RIDERS_MAX) });
}

/** Returns the id of this browser, which is the same for all its subscriptions. */
export const browserId = (): string => stored().id;

export const sentSubscription = (): SentSubscription | undefined => stored().sent;

export function storeSent(sent: SentSubscription | undefined): void {
  store({ ...stored(), sent });
}
