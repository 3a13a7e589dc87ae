import type { Choice } from "./agreement";

/** A tick of yesterday is no decision of today. */
const LIFETIME_MS = 24 * 3600 * 1000;
const CLOCK_SLACK_MS = 5 * 60_000;

/** Keys of an earlier version, which also kept applicants' ticks and how they were set. */
const FORMER = "musette-draft:";

const keyOf = (userId: string, termsType: string) => `musette-ticks:${termsType}:${userId}`;

/**
 * Session storage lives as long as the tab. Settings can block it, and it can be full. The screen works
 * without a draft.
 */
function trying<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}

/**
 * What this account ticked in this tab and has not sent. Ticks only: how they were set, and what was
 * opened, was seen in a visit that is over. An applicant has no draft, since nobody can tell whose it
 * would be.
 */
export function loadDraft(
  userId: string | undefined,
  termsType: string,
  now: Date,
): ReadonlyMap<number, Choice> {
  const ids = trying((storage) => {
    for (const key of Object.keys(storage)) if (key.startsWith(FORMER)) storage.removeItem(key);
    if (!userId) return [];
    const { at, ids } = JSON.parse(storage.getItem(keyOf(userId, termsType)) ?? "{}");
    const age = now.getTime() - at;
    return age < LIFETIME_MS && age > -CLOCK_SLACK_MS ? (ids as number[]) : [];
  });
  return new Map((ids ?? []).map((id) => [id, { accepted: true }]));
}

/** Keeps the ticks of an account in session storage; nothing for an applicant. */
export function saveDraft(
  userId: string | undefined,
  termsType: string,
  choices: ReadonlyMap<number, Choice>,
  now: Date,
): void {
  if (!userId) return;
  const ids = [...choices].filter(([, { accepted }]) => accepted).map(([id]) => id);
  const key = keyOf(userId, termsType);
  trying((storage) => {
    if (ids.length > 0) storage.setItem(key, JSON.stringify({ at: now.getTime(), ids }));
    else storage.removeItem(key);
  });
}

/** Deletes the kept ticks of an account. */
export function clearDraft(userId: string | undefined, termsType: string): void {
  if (userId) trying((storage) => storage.removeItem(keyOf(userId, termsType)));
}
