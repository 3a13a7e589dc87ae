import { notePending } from "./pending-mark";
import type { PendingSubmission } from "./pending-submission";

const DATABASE = "musette-terms";
const TABLE = "pending";
/** Browsers are known to leave a request to IndexedDB without any answer. */
const DEADLINE_MS = 1_500;

// Where IndexedDB is blocked or full: what could not be stored, and what could not be deleted.
const unstored = new Map<string, PendingSubmission>();
const deleted = new Set<string>();

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(TABLE, { keyPath: "key" });
  return settled(request);
}

/** Resolves once it is on disk; undefined where the database cannot be used. */
async function use<T>(
  mode: IDBTransactionMode,
  work: (table: IDBObjectStore) => IDBRequest<T>,
): Promise<{ readonly value: T } | undefined> {
  const run = async () => {
    const database = await open();
    try {
      // Strict: what is sent next must not outlive the note that it was sent.
      const transaction = database.transaction(TABLE, mode, { durability: "strict" });
      const request = work(transaction.objectStore(TABLE));
      await new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error);
        transaction.onerror = () => reject(transaction.error);
      });
      return { value: request.result };
    } finally {
      database.close();
    }
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), DEADLINE_MS);
  });
  try {
    return await Promise.race([run().catch(() => undefined), deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** Everything that waits, of whoever. Only `pending.ts` may read it: it knows what is whose. */
export async function allPending(): Promise<readonly PendingSubmission[]> {
  const stored = (await use<PendingSubmission[]>("readonly", (table) => table.getAll()))?.value;
  const others = (stored ?? []).filter(({ key }) => !unstored.has(key));
  const all = [...others, ...unstored.values()].filter(({ key }) => !deleted.has(key));
  if (stored) notePending(all.length > 0);
  return all;
}

/** Resolves with whether it is on disk; if not, it is gone with this page. */
export async function putPending(pending: PendingSubmission, replaces?: string): Promise<boolean> {
  notePending(true);
  const done = await use("readwrite", (table) => {
    if (replaces) table.delete(replaces);
    return table.put(pending);
  });
  deleted.delete(pending.key);
  if (replaces) unstored.delete(replaces);
  if (done) unstored.delete(pending.key);
  else {
    unstored.set(pending.key, pending);
    if (replaces) deleted.add(replaces);
  }
  return done !== undefined;
}

export async function deletePending(key: string): Promise<void> {
  unstored.delete(key);
  if (!(await use("readwrite", (table) => table.delete(key)))) deleted.add(key);
}
