import type { FlagCache } from "./flag-client";

/** Results, the known keys, and which configuration the results come from. */
export type Table = "fwf-flags-db" | "fwf-keys-db" | "version_flags";

const TABLES: readonly Table[] = ["fwf-flags-db", "fwf-keys-db", "version_flags"];
const NAME = "musette-flags";

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** `scope` keeps the clients of one origin apart. A key is `{table}:{name}`. */
export function indexedDbCache(scope: string): FlagCache {
  let opening: Promise<IDBDatabase> | undefined;
  let current: IDBTransaction | undefined;

  async function open(): Promise<IDBDatabase> {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      for (const table of TABLES) request.result.createObjectStore(table);
    };
    const database = await settled(request);
    const lost = () => {
      opening = undefined;
      current = undefined;
    };
    // Somebody deletes the database, or the browser closes it: the next call opens it anew.
    database.onversionchange = () => {
      database.close();
      lost();
    };
    database.onclose = lost;
    return database;
  }

  async function use<T>(
    mode: IDBTransactionMode,
    work: (transaction: IDBTransaction) => IDBRequest<T>,
  ): Promise<T> {
    opening ??= open();
    let database: IDBDatabase;
    try {
      database = await opening;
    } catch (error) {
      opening = undefined;
      throw error;
    }
    // What is asked for at once shares a transaction: twenty of them cost more than the reading.
    try {
      if (current?.mode === mode) return await settled(work(current));
    } catch (error) {
      if (!/Inactive|InvalidState/.test((error as Error)?.name)) throw error;
    }
    current = database.transaction(TABLES as Table[], mode);
    return await settled(work(current));
  }

  const at = (key: string) => {
    const cut = key.indexOf(":");
    return [key.slice(0, cut), scope + key.slice(cut)] as const;
  };

  return {
    get: (key) => use("readonly", (all) => all.objectStore(at(key)[0]).get(at(key)[1])),
    set: (key, value) =>
      use("readwrite", (all) => all.objectStore(at(key)[0]).put(value, at(key)[1])),
    delete: (key) => use("readwrite", (all) => all.objectStore(at(key)[0]).delete(at(key)[1])),
    clear() {
      const own = () => IDBKeyRange.bound(`${scope}:`, `${scope};`);
      return Promise.all(
        TABLES.map((table) => use("readwrite", (all) => all.objectStore(table).delete(own()))),
      );
    },
  };
}
