/**
 * A visit is one applicant at the consent screen, until they go back, close it or leave the page. A
 * reload goes on with it; coming back does not, since it may be the next person who comes.
 */
const KEY = "musette-visit";
/** After so long without a touch nobody knows who holds the phone. */
export const VISIT_IDLE_MS = 15 * 60_000;

function trying<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage);
  } catch {
    // Blocked or full. Then every visit is a new one.
    return undefined;
  }
}

/** The visit that was interrupted by the reload that this page came from. */
export function interruptedVisit(): string | undefined {
  const [entry] = globalThis.performance?.getEntriesByType?.("navigation") ?? [];
  if ((entry as PerformanceNavigationTiming | undefined)?.type !== "reload") return undefined;
  return trying((storage) => storage.getItem(KEY)) ?? undefined;
}

/** Remembers the visit in session storage, so that a reload goes on with it. */
export function beginVisit(visit: string): void {
  trying((storage) => storage.setItem(KEY, visit));
}

/** Forgets the visit: the next person may come. */
export function endVisit(): void {
  trying((storage) => storage.removeItem(KEY));
}

/** Whether an applicant's submission was confirmed in this visit, moments ago, as far as one can know. */
export function isOfVisit(
  pending: { readonly visit?: string; readonly at: number },
  visit: string | undefined,
  now: Date,
): boolean {
  const age = now.getTime() - pending.at;
  return pending.visit !== undefined && pending.visit === visit && age >= 0 && age < VISIT_IDLE_MS;
}
