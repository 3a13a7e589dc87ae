import type { Choice } from "./agreement";
import type { Reading } from "./submission";

/** What a person has ticked and read but not yet sent. It names exact versions by their ids. */
export interface Draft {
  readonly choices: ReadonlyMap<number, Choice>;
  readonly readings: ReadonlyMap<number, Reading>;
}

/** A tick of yesterday is no decision of today. */
const LIFETIME_MS = 24 * 3600 * 1000;
const EMPTY: Draft = { choices: new Map(), readings: new Map() };

const keyOf = (userId: string | undefined, termsType: string) =>
  `musette-draft:${termsType}:${userId ?? ""}`;

/** Session storage lives as long as the tab: a reload keeps the ticks, the next person has none. */
function storage(): Storage | undefined {
  try {
    return globalThis.sessionStorage;
  } catch {
    // Blocked by the browser's settings. The screen works without a draft.
    return undefined;
  }
}

export function loadDraft(userId: string | undefined, termsType: string, now: Date): Draft {
  try {
    const text = storage()?.getItem(keyOf(userId, termsType));
    if (!text) return EMPTY;
    const { at, choices, readings } = JSON.parse(text);
    if (!(now.getTime() - at < LIFETIME_MS)) return EMPTY;
    return { choices: new Map(choices), readings: new Map(readings) };
  } catch {
    return EMPTY;
  }
}

export function saveDraft(
  userId: string | undefined,
  termsType: string,
  draft: Draft,
  now: Date,
): void {
  const { choices, readings } = draft;
  try {
    storage()?.setItem(
      keyOf(userId, termsType),
      JSON.stringify({ at: now.getTime(), choices: [...choices], readings: [...readings] }),
    );
  } catch {
    // No room or no permission: the draft only spares a repetition.
  }
}

export function clearDraft(userId: string | undefined, termsType: string): void {
  storage()?.removeItem(keyOf(userId, termsType));
}
