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

  async function use<T>(
    mode: IDBTransactionMode,
    key: string,
    work: (table: IDBObjectStore, name: string) => IDBRequest<T>,
  ): Promise<T> {
    opening ??= open();
    const database = await opening;
    const [table = "", name] = key.split(/:(.*)/);
    const act = (all: IDBTransaction) => settled(work(all.objectStore(table), `${scope}:${name}`));
    // What is asked for at once shares a transaction: twenty of them cost more than the reading.
    try {
      if (current?.mode === mode) return await act(current);
    } catch {
      // It is over.
    }
    current = database.transaction(TABLES, mode);
    return act(current);
  }

  return {
    get: (key) => use("readonly", key, (table, name) => table.get(name)),
    set: (key, value) => use("readwrite", key, (table, name) => table.put(value, name)),
    delete: (key) => use("readwrite", key, (table, name) => table.delete(name)),
    clear: () =>
      Promise.all(
        TABLES.map((table) =>
          use("readwrite", `${table}:`, (all, name) =>
            all.delete(IDBKeyRange.bound(name, `${name}\uffff`)),
          ),
        ),
      ),
  };
}
