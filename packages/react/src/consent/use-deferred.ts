import { useCallback, useEffect, useState } from "react";

export type Deferred = typeof import("./deferred");

let known: Deferred | undefined;

export interface DeferredParts {
  /** Undefined while it loads, null if loading failed. */
  readonly deferred: Deferred | null | undefined;
  /** Loads it, again after a failure. */
  readonly ask: () => Promise<Deferred>;
}

export function useDeferred(): DeferredParts {
  const [deferred, setDeferred] = useState<Deferred | null | undefined>(known);
  const ask = useCallback(async () => {
    known ??= await import("./deferred");
    setDeferred(known);
    return known;
  }, []);
  useEffect(() => {
    ask().catch(() => setDeferred(null));
  }, [ask]);
  return { deferred, ask };
}
