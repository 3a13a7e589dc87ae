import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client";
import type { Wire } from "../api/wire";
import { environmentKey } from "../configuration/document/flags-document";

export type Decision = Wire<"ExperimentDecisionBody">;
export type NewDecision = Wire<"NewExperimentDecisionBody">;

/** The most decisions to show. The database keeps older ones. */
const SHOWN_MAX = 50;

export const decisionsQuery = (environment: string, key: string) =>
  queryOptions({
    queryKey: [...environmentKey(environment), "decisions", key],
    queryFn: async () => {
      const { items } = await api.get("/api/admin/v1/experiments/{key}/decisions", {
        path: { key },
        query: { environment, limit: SHOWN_MAX },
      });
      return items;
    },
    enabled: environment !== "",
  });

/** Records a decision together with the current results. */
export function useDecide(environment: string, key: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewDecision) =>
      api.post("/api/admin/v1/experiments/{key}/decisions", {
        path: { key },
        query: { environment },
        body,
      }),
    onSuccess: () =>
      client.invalidateQueries({ queryKey: decisionsQuery(environment, key).queryKey }),
  });
}
