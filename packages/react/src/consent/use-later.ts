import { useCallback, useEffect, useState } from "react";

export type Later = typeof import("./later");

let known: Later | undefined;

export interface LaterParts {
  /** Undefined while they are on their way, null when they did not come. */
  readonly later: Later | null | undefined;
  /** Asks again, if they did not come. */
  readonly ask: () => Promise<Later>;
}

export function useLater(): LaterParts {
  const [later, setLater] = useState<Later | null | undefined>(known);
  const ask = useCallback(async () => {
    known ??= await import("./later");
    setLater(known);
    return known;
  }, []);
  useEffect(() => {
    ask().catch(() => setLater(null));
  }, [ask]);
  return { later, ask };
}
