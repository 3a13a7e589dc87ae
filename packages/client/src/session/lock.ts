/** Runs `work` when this tab has its turn, or never once `signal` is aborted. */
export type Lock = (signal: AbortSignal, work: () => Promise<void>) => Promise<void>;

/** The cookies have `path=/`, so an origin has one session and one lock. */
const NAME = "musette.session";

export const browserLock: Lock = async (signal, work) => {
  const locks = globalThis.navigator?.locks;
  await (locks ? locks.request(NAME, { signal }, work) : work());
};
