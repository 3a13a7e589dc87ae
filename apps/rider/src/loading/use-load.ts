import { useCallback, useEffect, useState } from "react";

export type Loaded<T> =
  | { readonly state: "loading" }
  | { readonly state: "failed"; readonly error: unknown }
  | { readonly state: "ready"; readonly value: T };

/**
 * Loads when `load` changes, so the caller keeps it stable, and again on `reload`. What was shown
 * stays until the new answer is there: a reload never blanks the page. Without `load` it waits for one.
 */
export function useLoad<T>(
  load: (() => Promise<T>) | undefined,
): Loaded<T> & { readonly reload: () => void } {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: "loading" });
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is a reason to load again
  useEffect(() => {
    // What was asked for before it was withdrawn is of the time before.
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
