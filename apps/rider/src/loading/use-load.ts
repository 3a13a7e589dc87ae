import { useCallback, useEffect, useState } from "react";

export type Loaded<T> =
  | { readonly state: "loading" }
  | { readonly state: "failed"; readonly error: unknown }
  | { readonly state: "ready"; readonly value: T };

/**
 * Calls `load` when it changes and on `reload`. The caller must keep `load` stable. The former
 * value stays until the new answer arrives, so a reload never empties the page. Without `load`, the
 * state is "loading".
 */
export function useLoad<T>(
  load: (() => Promise<T>) | undefined,
): Loaded<T> & { readonly reload: () => void } {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: "loading" });
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is a reason to load again
  useEffect(() => {
    // `load` was withdrawn, so the value belongs to a former state.
    if (!load) return setLoaded({ state: "loading" });
    let current = true;
    load().then(
      (value) => current && setLoaded({ state: "ready", value }),
      (error: unknown) => current && setLoaded({ state: "failed", error }),
    );
    return () => {
      current = false;
    };
  }, [load, round]);

  const reload = useCallback(() => {
    setLoaded((last) => (last.state === "failed" ? { state: "loading" } : last));
    setRound((last) => last + 1);
  }, []);
  return { ...loaded, reload };
}
