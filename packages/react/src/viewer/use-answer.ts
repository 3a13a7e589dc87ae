import { useEffect, useState } from "react";

export interface PromiseState<T> {
  readonly value?: T;
  readonly error?: unknown;
}

/** Runs `load` once per key and returns its state: empty while pending, and without a key. */
export function usePromise<T>(key: string | undefined, load: () => Promise<T>): PromiseState<T> {
  const [state, setState] = useState<PromiseState<T> & { readonly key?: string }>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the request
  useEffect(() => {
    if (key)
      load().then(
        (value) => setState({ key, value }),
        (error) => setState({ key, error }),
      );
  }, [key]);
  return state.key === key ? state : {};
}
