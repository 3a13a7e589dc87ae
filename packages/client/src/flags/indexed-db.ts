import type { FlagCache } from "./flag-client";

/** Results, the known keys, and whose they are. A key of the cache is `{table}:{name}`. */
const TABLES = ["fwf-flags-db", "fwf-keys-db", "version_flags"];

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** `scope` keeps the clients of one origin apart. */
export function indexedDbCache(scope: string): FlagCache {
  let opening: Promise<IDBDatabase> | undefined;
  let current: IDBTransaction | undefined;
  /** For all who ask meanwhile. */
  let reading: Promise<unknown> | undefined;

  async function open(): Promise<IDBDatabase> {
    const request = indexedDB.open("musette-flags", 1);
    request.onupgradeneeded = () => {
      for (const table of TABLES) request.result.createObjectStore(table);
    };
    const database = await settled(request);
    // Somebody deletes the database: the next call makes it anew.
    database.onversionchange = () => {
      database.close();
      opening = undefined;
    };
    return database;
  }

  // At once: by the time somebody asks it may be open. Who never asks need not know that it failed.
  opening = open();
  opening.catch(() => {});

  async function use<T>(
    mode: IDBTransactionMode,
    key: string,
    work: (store: IDBObjectStore, name: string) => Promise<T>,
  ): Promise<T> {
    const [table = ""] = key.split(":");
    const name = `${scope}:${key}`;
    opening ??= open();
    const database = await opening;
    // What is written at once shares a transaction.
    try {
      if (current?.mode === mode) return await work(current.objectStore(table), name);
    } catch {
      // It is over.
    }
    current = database.transaction(TABLES, mode);
    return work(current.objectStore(table), name);
  }

  const own = () => IDBKeyRange.bound(`${scope}:`, `${scope};`);

  return {
    get: (key) => use("readonly", key, (store, name) => settled(store.get(name))),
    /** Of all clients of the origin: one answer of the database costs less than twenty. */
    getAll(beginning) {
      reading ??= use("readonly", beginning, (store) => settled(store.getAll())).finally(() => {
        reading = undefined;
      });
      return reading;
    },
    set: (key, value) => use("readwrite", key, (store, name) => settled(store.put(value, name))),
    delete: (key) => use("readwrite", key, (store, name) => settled(store.delete(name))),
    clear: () =>
      Promise.all(
        TABLES.map((table) => use("readwrite", table, (store) => settled(store.delete(own())))),
      ),
  };
}
