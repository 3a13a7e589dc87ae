/** A marker in local storage, because IndexedDB responds later than the first render of a screen. */
const KEY = "musette.pending";

/** Returns whether this device may have a pending submission. False means that this version has stored none. */
export function mayBePending(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return true;
  }
}

/** Sets or removes the marker for pending submissions of any user. */
export function markPending(isPending: boolean): void {
  try {
    if (isPending) localStorage.setItem(KEY, "1");
    else localStorage.removeItem(KEY);
  } catch {
    // Storage is blocked, or this is a worker. A page that finds a pending submission sets the marker.
  }
}
