import { isOffline } from "@musette/client/terms";
import { useEffect, useMemo, useState } from "react";
import { type Loaded, useLoad } from "../loading/use-load";
import { askAndKeep, isUnanswered, keptAnswer } from "./kept-answers";

/** After this time without an answer, the connection counts as slow, as on the consent screen. */
const SLOW_MS = 3_000;

export type KeptLoaded<T> = Loaded<T> & {
  readonly reload: () => void;
  /** The value is an earlier answer from this time. No newer one could be fetched. */
  readonly keptAt?: number;
};

/** `useLoad` that falls back to this person's last answer. */
export function useKeptLoad<T>(name: string, load: (() => Promise<T>) | undefined): KeptLoaded<T> {
  const ask = useMemo(() => load && (() => askAndKeep(name, load)), [name, load]);
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
    loaded.state === "failed" ? isUnanswered(loaded.error) : loaded.state === "loading" && waited;
  const answer = unanswered ? keptAnswer<T>(name) : undefined;
  return answer ? { state: "ready", value: answer.value, keptAt: answer.at, reload } : loaded;
}
