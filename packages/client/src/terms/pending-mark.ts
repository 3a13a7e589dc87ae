/** Beside the database, which answers later than a first screen is drawn. */
const KEY = "musette.pending";

/** Whether a submission may wait on this device; false only if it is known that none does, as far as this version knows. */
export function mayBePending(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return true;
  }
}

/** Notes whether something waits, of whoever. */
export function notePending(waits: boolean): void {
  try {
    if (waits) localStorage.setItem(KEY, "1");
    else localStorage.removeItem(KEY);
  } catch {
    // Blocked, or a worker's: a page that finds something corrects it.
  }
}
