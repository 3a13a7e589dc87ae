import { useCallback, useEffect } from "react";
import { useStoredLoad } from "../offline/use-stored-load";
import { useFragment } from "../router/router";
import { fetchEvaluation } from "./evaluation-calls";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the id of the evaluation in the address; undefined if it has none. */
export function useEvaluationId(): string | undefined {
  const fragment = useFragment();
  return UUID.test(fragment) ? fragment.toLowerCase() : undefined;
}

/** Loads an evaluation, and again when the page is shown again: an answer may have come meanwhile. */
export function useEvaluation(userId: string, id: string) {
  const load = useCallback(() => fetchEvaluation(userId, id), [userId, id]);
  const loaded = useStoredLoad(`evaluation ${id}`, load);
  const { reload } = loaded;
  useEffect(() => {
    const look = () => document.visibilityState === "visible" && reload();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [reload]);
  return loaded;
}
