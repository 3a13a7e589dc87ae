/** As much of IndexedDB as `pending-storage.ts` uses. It outlives "reloads", like the real one. */
export function fakeIndexedDb(
  rows = new Map<string, unknown>(),
  soon: (work: () => void) => void = queueMicrotask,
) {
  function answered<T>(result: T): IDBRequest<T> {
    const request = { result } as { result: T; onsuccess?: () => void };
    soon(() => request.onsuccess?.());
    return request as unknown as IDBRequest<T>;
  }
  const table = {
    getAll: () => answered([...rows.values()].map((row) => structuredClone(row))),
    put(row: { readonly key: string }) {
      rows.set(row.key, structuredClone(row));
      return answered(row.key);
    },
    delete(key: string) {
      rows.delete(key);
      return answered(undefined);
    },
  };
  function transaction() {
    const ended: { objectStore: () => typeof table; oncomplete?: () => void } = {
      objectStore: () => table,
    };
    soon(() => ended.oncomplete?.());
    return ended;
  }
  const database = { transaction, close() {}, createObjectStore: () => table };
  return { rows, indexedDB: { open: () => answered(database) } as unknown as IDBFactory };
}
