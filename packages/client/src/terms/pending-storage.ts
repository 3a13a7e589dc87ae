import { markPending } from "./pending-mark";
import type { PendingSubmission } from "./pending-submission";

const DATABASE = "musette-terms";
const TABLE = "pending";
/** Limit for IndexedDB, because browsers sometimes never respond to a request. */
const DEADLINE_MS = 1_500;

// Changes in memory, if IndexedDB is blocked or full: submissions not stored, and keys not deleted.
const unstored = new Map<string, PendingSubmission<unknown>>();
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

/** Runs a request. Resolves when the result is on disk, or to undefined if the database cannot be used. */
async function use<T>(
  mode: IDBTransactionMode,
  work: (table: IDBObjectStore) => IDBRequest<T>,
): Promise<{ readonly value: T } | undefined> {
  const run = async () => {
    const database = await open();
    try {
      // Strict durability: the submission must be on disk before it is sent.
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

/** Returns the pending submissions of all users. Only `pending.ts` may read it, because it filters by owner. */
export async function allPending<Answer>(): Promise<readonly PendingSubmission<Answer>[]> {
  const stored = (await use<PendingSubmission<unknown>[]>("readonly", (table) => table.getAll()))
    ?.value;
  const others = (stored ?? []).filter(({ key }) => !unstored.has(key));
  const all = [...others, ...unstored.values()].filter(({ key }) => !deleted.has(key));
  if (stored) markPending(all.length > 0);
  // The caller's owner decides which kind of submission it reads.
  return all as PendingSubmission<Answer>[];
}

/** Stores a submission. Returns false if it is only in memory, so that it is lost with this page. */
export async function putPending(
  pending: PendingSubmission<unknown>,
  replaces?: string,
): Promise<boolean> {
  markPending(true);
  const stored = await use("readwrite", (table) => {
    if (replaces) table.delete(replaces);
    return table.put(pending);
  });
  deleted.delete(pending.key);
  if (replaces) unstored.delete(replaces);
  if (stored) unstored.delete(pending.key);
  else {
    unstored.set(pending.key, pending);
    if (replaces) deleted.add(replaces);
  }
  return stored !== undefined;
}

export async function deletePending(key: string): Promise<void> {
  unstored.delete(key);
  if (!(await use("readwrite", (table) => table.delete(key)))) deleted.add(key);
}
