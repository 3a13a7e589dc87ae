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
  const readings = new Map<string, Promise<ReadonlyMap<IDBValidKey, unknown>>>();
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
    table: string,
    work: (table: IDBObjectStore) => Promise<T>,
  ): Promise<T> {
    opening ??= open();
    const database = await opening;
    // What is written at once shares a transaction.
    try {
      if (current?.mode === mode) return await work(current.objectStore(table));
    } catch {
      // It is over.
    }
    current = database.transaction(TABLES, mode);
    return work(current.objectStore(table));
  }

  const split = (key: string) => {
    const [table = "", name = ""] = key.split(/:(.*)/);
    return { table, name: `${scope}:${name}` };
  };
  const own = () => IDBKeyRange.bound(`${scope}:`, `${scope}:\uffff`);

  /** The whole table: one answer of the database costs less than twenty, and there is little in it. */
  function read(table: string) {
    const running = readings.get(table);
    if (running) return running;
    const reading = use("readonly", table, async (store) => {
      const [names, values] = [settled(store.getAllKeys(own())), settled(store.getAll(own()))];
      const found = await values;
      return new Map((await names).map((name, at) => [name, found[at]]));
    }).finally(() => readings.delete(table));
    readings.set(table, reading);
    return reading;
  }

  function write<T>(table: string, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    // What is read from now on is to see it.
    readings.delete(table);
    return use("readwrite", table, (store) => settled(work(store)));
  }

  return {
    async get(key) {
      const { table, name } = split(key);
      return (await read(table)).get(name);
    },
    set(key, value) {
      const { table, name } = split(key);
      return write(table, (store) => store.put(value, name));
    },
    delete(key) {
      const { table, name } = split(key);
      return write(table, (store) => store.delete(name));
    },
    clear: () => Promise.all(TABLES.map((table) => write(table, (store) => store.delete(own())))),
  };
}
