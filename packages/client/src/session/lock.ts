/** Runs `work` while this tab holds the lock. Does not run it if `signal` is aborted before. */
export type Lock = (signal: AbortSignal, work: () => Promise<void>) => Promise<void>;

/** The name of the lock. The cookies have `path=/`, so an origin has one session and one lock. */
const NAME = "musette.session";

export const browserLock: Lock = async (signal, work) => {
  const locks = globalThis.navigator?.locks;
  await (locks ? locks.request(NAME, { signal }, work) : work());
};
