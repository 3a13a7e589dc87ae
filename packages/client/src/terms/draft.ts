import type { Choice } from "./agreement";
import type { Reading } from "./submission";

/** What a person has ticked and read but not yet sent. It names exact versions by their ids. */
export interface Draft {
  readonly choices: ReadonlyMap<number, Choice>;
  readonly readings: ReadonlyMap<number, Reading>;
}

/** A tick of yesterday is no decision of today. */
const LIFETIME_MS = 24 * 3600 * 1000;

const keyOf = (userId: string | undefined, termsType: string) =>
  `musette-draft:${termsType}:${userId ?? ""}`;

/**
 * Session storage lives as long as the tab: a reload keeps the ticks, the next person has none.
 * Settings can block it, and it can be full. The screen works without a draft.
 */
function trying<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}

export function loadDraft(userId: string | undefined, termsType: string, now: Date): Draft {
  const draft = trying((storage) => {
    const { at, choices, readings } = JSON.parse(storage.getItem(keyOf(userId, termsType)) ?? "{}");
    if (!(now.getTime() - at < LIFETIME_MS)) return undefined;
    return { choices: new Map(choices), readings: new Map(readings) } as Draft;
  });
  return draft ?? { choices: new Map(), readings: new Map() };
}

export function saveDraft(
  userId: string | undefined,
  termsType: string,
  { choices, readings }: Draft,
  now: Date,
): void {
  const draft = { at: now.getTime(), choices: [...choices], readings: [...readings] };
  trying((storage) => storage.setItem(keyOf(userId, termsType), JSON.stringify(draft)));
}

export function clearDraft(userId: string | undefined, termsType: string): void {
  trying((storage) => storage.removeItem(keyOf(userId, termsType)));
}
