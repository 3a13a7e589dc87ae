import type { Managers } from "./managers";

type Timer = Pick<Managers, "after">;

export function pause(timer: Timer, delayMs: number): Promise<void> {
  return new Promise((resolve) => timer.after(delayMs, resolve));
}

/** The outcome of `work`, or `late` when it fails or takes too long. The work itself goes on. */
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

/** Waits for `work` until the signal is aborted, and then rejects as `fetch` does. */
export function abortable<T>(
  signal: AbortSignal | null | undefined,
  work: Promise<T> | undefined,
): Promise<T> | undefined {
  if (!signal || !work) return work;
  return new Promise((resolve, reject) => {
    const give = () => reject(signal.reason);
    if (signal.aborted) return give();
    signal.addEventListener("abort", give);
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", give));
  });
}
