import type { Choice } from "./agreement";

/** The lifetime of a draft. An older tick no longer reflects a current decision. */
const LIFETIME_MS = 24 * 3600 * 1000;
const CLOCK_SLACK_MS = 5 * 60_000;

/** Key prefix of an earlier version, which also stored the ticks of applicants and their methods. */
const FORMER_PREFIX = "musette-draft:";

const PREFIX = "musette-ticks:";
const keyOf = (userId: string, termsType: string) => `${PREFIX}${termsType}:${userId}`;

/**
 * Runs `use` with session storage, which exists as long as the tab. Returns undefined if storage is blocked
 * or full, because the screen works without a draft.
 */
function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}

/**
 * Returns the ticks that this account set in this tab and has not sent. The draft has only the ticks: their
 * method and the opened documents belong to an earlier visit. Applicants have no draft, because the client
 * cannot know which applicant set it.
 */
export function loadDraft(
  userId: string | undefined,
  termsType: string,
  now: Date,
): ReadonlyMap<number, Choice> {
  const ids = withStorage((storage) => {
    for (const key of Object.keys(storage))
      if (key.startsWith(FORMER_PREFIX)) storage.removeItem(key);
    if (!userId) return [];
    const { at, ids } = JSON.parse(storage.getItem(keyOf(userId, termsType)) ?? "{}");
    const age = now.getTime() - at;
    return age < LIFETIME_MS && age > -CLOCK_SLACK_MS ? (ids as number[]) : [];
  });
  return new Map((ids ?? []).map((id) => [id, { accepted: true }]));
}

/** Stores the ticks of an account in session storage. Stores nothing for an applicant. */
export function saveDraft(
  userId: string | undefined,
  termsType: string,
  choices: ReadonlyMap<number, Choice>,
  now: Date,
): void {
  if (!userId) return;
  const ids = [...choices].filter(([, { accepted }]) => accepted).map(([id]) => id);
  const key = keyOf(userId, termsType);
  withStorage((storage) => {
    if (ids.length > 0) storage.setItem(key, JSON.stringify({ at: now.getTime(), ids }));
    else storage.removeItem(key);
  });
}

/** Returns whether this tab has ticks of an account that were not sent, also of one that is signed out. */
export function hasDraft(): boolean {
  return (
    withStorage((storage) => Object.keys(storage).some((key) => key.startsWith(PREFIX))) ?? false
  );
}

/** Removes the stored ticks of an account. */
export function clearDraft(userId: string | undefined, termsType: string): void {
  if (userId) withStorage((storage) => storage.removeItem(keyOf(userId, termsType)));
}
