import { isOffline } from "@musette/client/terms";
import { useEffect, useMemo, useState } from "react";
import { type Loaded, useLoad } from "../loading/use-load";
import { fetchAndStore, hasNoAnswer, storedAnswer } from "./stored-answers";

/** After this time without an answer, the connection counts as slow, as on the consent screen. */
const SLOW_MS = 3_000;

export type StoredLoaded<T> = Loaded<T> & {
  readonly reload: () => void;
  /** The value is an earlier answer from this time. No newer one could be fetched. */
  readonly keptAt?: number;
};

/** `useLoad` that falls back to this person's last answer. */
export function useStoredLoad<T>(
  name: string,
  load: (() => Promise<T>) | undefined,
): StoredLoaded<T> {
  const ask = useMemo(() => load && (() => fetchAndStore(name, load)), [name, load]);
  const loaded = useLoad(ask);
  const { reload } = loaded;
  const [waited, setWaited] = useState(isOffline);
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), SLOW_MS);
    window.addEventListener("online", reload);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("online", reload);
    };
  }, [reload]);

  const unanswered =
    loaded.state === "failed" ? hasNoAnswer(loaded.error) : loaded.state === "loading" && waited;
  const answer = unanswered ? storedAnswer<T>(name) : undefined;
  return answer ? { state: "ready", value: answer.value, keptAt: answer.at, reload } : loaded;
}
