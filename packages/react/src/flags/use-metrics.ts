import { useCallback } from "react";
import { useFlags } from "./provider";

/** Reports something that this person did, for the results of their A/B tests. Not while rendering. */
export function useMetrics(): (metric: string, value?: number) => void {
  const { client } = useFlags();
  return useCallback((metric, value) => client?.reportMetric(metric, value), [client]);
}
