import type { FlagCache } from "./flag-client";

/** The tables of results, of flag keys and of the source of both. A cache key is `{table}:{name}`. */
const TABLES = ["fwf-flags-db", "fwf-keys-db", "version_flags"];

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Creates a cache in IndexedDB. `scope` separates the clients of one origin. */
export function indexedDbCache(scope: string): FlagCache {
  let opening: Promise<IDBDatabase> | undefined;
  let current: IDBTransaction | undefined;
  /** The read in flight. Concurrent calls share it. */
  let reading: Promise<unknown> | undefined;

  async function open(): Promise<IDBDatabase> {
    const request = indexedDB.open("musette-flags", 1);
    request.onupgradeneeded = () => {
      for (const table of TABLES) request.result.createObjectStore(table);
    };
    const database = await settled(request);
    // Another tab is deleting the database. The next call creates it again.
    database.onversionchange = () => {
      database.close();
      opening = undefined;
    };
    return database;
  }

  // Opens early, to be ready for the first read. Later calls handle a failure.
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
    // All writes of one task share a transaction.
    try {
      if (current?.mode === mode) return await work(current.objectStore(table), name);
    } catch {
      // The shared transaction has ended.
    }
    current = database.transaction(TABLES, mode);
    return work(current.objectStore(table), name);
  }

  const own = () => IDBKeyRange.bound(`${scope}:`, `${scope};`);

  return {
    get: (key) => use("readonly", key, (store, name) => settled(store.get(name))),
    /** Returns the entries of all clients of the origin, because one read is faster than twenty. */
    getAll(prefix) {
      reading ??= use("readonly", prefix, (store) => settled(store.getAll())).finally(() => {
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
