/** Creates a fake of the used part of IndexedDB. Its rows survive a simulated reload. */
export function fakeIndexedDb(
  rows = new Map<string, unknown>(),
  schedule: (work: () => void) => void = queueMicrotask,
) {
  function respond<T>(result: T): IDBRequest<T> {
    const request = { result } as { result: T; onsuccess?: () => void };
    schedule(() => request.onsuccess?.());
    return request as unknown as IDBRequest<T>;
  }
  const table = {
    getAll: () => respond([...rows.values()].map((row) => structuredClone(row))),
    put(row: { readonly key: string }) {
      rows.set(row.key, structuredClone(row));
      return respond(row.key);
    },
    delete(key: string) {
      rows.delete(key);
      return respond(undefined);
    },
  };
  function transaction() {
    const transactionLike: { objectStore: () => typeof table; oncomplete?: () => void } = {
      objectStore: () => table,
    };
    schedule(() => transactionLike.oncomplete?.());
    return transactionLike;
  }
  const database = { transaction, close() {}, createObjectStore: () => table };
  return { rows, indexedDB: { open: () => respond(database) } as unknown as IDBFactory };
}
