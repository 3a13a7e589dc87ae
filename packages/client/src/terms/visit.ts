/**
 * The storage key of a visit. A visit is the time of one applicant at the consent screen, until they go
 * back, close it or leave the page. A reload continues the visit. A return to the page starts a new visit,
 * because it may be the next person.
 */
const KEY = "musette-visit";
/** The idle time after which a visit ends, because another person may hold the phone by then. */
export const VISIT_IDLE_MS = 15 * 60_000;

function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage);
  } catch {
    // Storage is blocked or full. Then every page load starts a new visit.
    return undefined;
  }
}

/** Returns the visit that this page continues after a reload; undefined if the page was not reloaded. */
export function interruptedVisit(): string | undefined {
  const [entry] = globalThis.performance?.getEntriesByType?.("navigation") ?? [];
  if ((entry as PerformanceNavigationTiming | undefined)?.type !== "reload") return undefined;
  return withStorage((storage) => storage.getItem(KEY)) ?? undefined;
}

/** Stores the visit in session storage, so that a reload continues it. */
export function beginVisit(visit: string): void {
  withStorage((storage) => storage.setItem(KEY, visit));
}

/** Removes the visit, so that the next person starts a new one. */
export function endVisit(): void {
  withStorage((storage) => storage.removeItem(KEY));
}

/** Returns whether an applicant's submission was confirmed in this visit, within the last `VISIT_IDLE_MS`. */
export function isOfVisit(
  pending: { readonly visit?: string; readonly at: number },
  visit: string | undefined,
  now: Date,
): boolean {
  const age = now.getTime() - pending.at;
  return pending.visit !== undefined && pending.visit === visit && age >= 0 && age < VISIT_IDLE_MS;
}
