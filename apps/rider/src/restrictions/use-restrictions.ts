import { useCallback } from "react";
import { useStoredLoad } from "../offline/use-stored-load";
import { fetchRestrictions } from "./restriction";

/** Loads the rider's restrictions; without a network those of the last answer. */
export function useRestrictions(userId: string) {
  const load = useCallback(() => fetchRestrictions(userId), [userId]);
  return useStoredLoad("restrictions", load);
}
