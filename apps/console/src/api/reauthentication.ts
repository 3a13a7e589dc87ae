import { HttpError } from "@musette/client/http";

/** Answers true once the person has proved again who they are, false if they do not want to. */
type Answer = (isConfirmed: boolean) => void;

let asked: { readonly promise: Promise<boolean>; readonly answer: Answer } | undefined;
const listeners = new Set<() => void>();

function change(next: typeof asked): void {
  asked = next;
  for (const listener of listeners) listener();
}

/** One question for all requests that wait for it. Without a dialog on the page nobody can answer it. */
function ask(): Promise<boolean> {
  if (asked) return asked.promise;
  if (listeners.size === 0) return Promise.resolve(false);
  let answer: Answer = () => {};
  const promise = new Promise<boolean>((resolve) => {
    answer = resolve;
  });
  change({ promise, answer });
  return promise;
}

/** The state of the dialog that asks the person to prove again who they are. */
export const reauthentication = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  isAsked: (): boolean => asked !== undefined,
  answer(isConfirmed: boolean): void {
    const { answer } = asked ?? {};
    change(undefined);
    answer?.(isConfirmed);
  },
};

/** Whether the server refused a request until the person proves again who they are. */
export const isReauthenticationRequired = (error: unknown): boolean =>
  error instanceof HttpError && error.problem?.code === "reauthentication_required";

/** Sends a request. If the server asks for it, the person proves again who they are, and it is sent once more. */
export async function withReauthentication<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!isReauthenticationRequired(error) || !(await ask())) throw error;
    return await send();
  }
}
