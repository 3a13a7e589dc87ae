import { useCallback } from "react";
import { useFlags } from "./provider";

/**
 * Returns a function that reports a metric value of the user for the results of A/B tests. Do not call it
 * during render.
 *
 * @example
 * const report = useMetrics();
 * const onOrder = () => report("orders");
 */
export function useMetrics(): (metric: string, value?: number) => void {
  const { client } = useFlags();
  return useCallback((metric, value) => client?.reportMetric(metric, value), [client]);
}
