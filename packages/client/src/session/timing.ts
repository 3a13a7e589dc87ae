import type { Managers } from "./managers";

type Timer = Pick<Managers, "after">;

export function pause(timer: Timer, delayMs: number): Promise<void> {
  return new Promise((resolve) => timer.after(delayMs, resolve));
}

/** Resolves to the value of `work`, or to `late` if it fails or takes too long. Does not stop the work. */
export function within<T, Late = undefined>(
  timer: Timer,
  limitMs: number,
  work: Promise<T>,
  late?: Late,
): Promise<T | Late> {
  return new Promise((resolve) => {
    const stop = timer.after(limitMs, () => resolve(late as Late));
    const finish = (value: T | Late) => {
      stop();
      resolve(value);
    };
    work.then(finish, () => finish(late as Late));
  });
}

/** Waits for `work`. Rejects as `fetch` does if the signal is aborted before. */
export function abortable<T>(
  signal: AbortSignal | null | undefined,
  work: Promise<T> | undefined,
): Promise<T> | undefined {
  if (!signal || !work) return work;
  return new Promise((resolve, reject) => {
    const rejectAborted = () => reject(signal.reason);
    if (signal.aborted) return rejectAborted();
    signal.addEventListener("abort", rejectAborted);
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", rejectAborted));
  });
}
