import { HttpError } from "@musette/client/http";

/** Called with true when the person has re-authenticated; with false when they cancel. */
type Answer = (isConfirmed: boolean) => void;

let pending: { readonly promise: Promise<boolean>; readonly answer: Answer } | undefined;
const listeners = new Set<() => void>();

function setPending(next: typeof pending): void {
  pending = next;
  for (const listener of listeners) listener();
}

/** Asks once for all waiting requests. Without a dialog on the page, there is no answer to wait for. */
function requestConfirmation(): Promise<boolean> {
  if (pending) return pending.promise;
  if (listeners.size === 0) return Promise.resolve(false);
  let answer: Answer = () => {};
  const promise = new Promise<boolean>((resolve) => {
    answer = resolve;
  });
  setPending({ promise, answer });
  return promise;
}

/** The state of the re-authentication dialog. */
export const reauthentication = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  isAsked: (): boolean => pending !== undefined,
  answer(isConfirmed: boolean): void {
    const { answer } = pending ?? {};
    setPending(undefined);
    answer?.(isConfirmed);
  },
};

/** Whether the server requires a re-authentication for this request. */
export const isReauthenticationRequired = (error: unknown): boolean =>
  error instanceof HttpError && error.problem?.code === "reauthentication_required";

/**
 * Sends a request. If the server requires it, the person re-authenticates and the request is sent
 * again.
 */
export async function withReauthentication<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!isReauthenticationRequired(error) || !(await requestConfirmation())) throw error;
    return await send();
  }
}
