import { useEffect, useState } from "react";

export interface Answer<T> {
  readonly value?: T;
  readonly error?: unknown;
}

/** What was asked for under this key: empty while it is on its way, and without a key. */
export function useAnswer<T>(key: string | undefined, ask: () => Promise<T>): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T> & { readonly key?: string }>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is asked for
  useEffect(() => {
    if (key)
      ask().then(
        (value) => setAnswer({ key, value }),
        (error) => setAnswer({ key, error }),
      );
  }, [key]);
  return answer.key === key ? answer : {};
}
