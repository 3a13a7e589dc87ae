import { useCallback, useEffect, useState } from "react";

export type Deferred = typeof import("./deferred");

let module: Deferred | undefined;

export interface DeferredParts {
  /** Undefined while it loads, null if loading failed. */
  readonly deferred: Deferred | null | undefined;
  /** Loads the module. Loads it again after a failure. */
  readonly load: () => Promise<Deferred>;
}

export function useDeferred(): DeferredParts {
  const [deferred, setDeferred] = useState<Deferred | null | undefined>(module);
  const load = useCallback(async () => {
    module ??= await import("./deferred");
    setDeferred(module);
    return module;
  }, []);
  useEffect(() => {
    load().catch(() => setDeferred(null));
  }, [load]);
  return { deferred, load };
}
