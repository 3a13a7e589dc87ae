/** What the tabs of one browser profile share. */
export interface Shared {
  /** Made once: tells the server that two tabs are one client, and a thief is not. */
  readonly instance: string;
  readonly access?: string | undefined;
  readonly refresh?: string | undefined;
}

/** Changes what is shared, if anything, and answers with what it is then. */
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
 * IndexedDB and neither cookies nor localStorage: read inside a Web Lock, those two were seen to
 * be older than the lock, in 2 of 12 and 3 of 8 rounds; IndexedDB never (0 of 20, Chromium 156).
 */
async function change(change: Partial<Shared> = {}): Promise<Shared> {
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(NAME);
  const database = await settled(opening);
  try {
    const transaction = database.transaction(NAME, "readwrite");
    const store = transaction.objectStore(NAME);
    const before: Shared | undefined = await settled(store.get(KEY));
    const after = { instance: randomInstance(), ...before, ...change };
    const done = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = reject;
    });
    store.put(after, KEY);
    await done;
    return after;
  } finally {
    database.close();
  }
}

function storedInstance(): string {
  try {
    const kept = localStorage.getItem(NAME) ?? randomInstance();
    localStorage.setItem(NAME, kept);
    return kept;
  } catch {
    // Storage is off: the server then has one instance for each page.
    return "";
  }
}

/** Without IndexedDB the tabs share the instance only, and the cookies the rest. */
export function browserShare(): Share {
  const own = randomInstance();
  return (next) => change(next).catch(() => ({ instance: storedInstance() || own }));
}
