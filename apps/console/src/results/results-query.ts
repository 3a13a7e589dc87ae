import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";
import type { Wire } from "../api/wire";
import { environmentKey } from "../configuration/document/flags-document";
import type { ResultsSearch } from "./results-search";

export type Verdict = Wire<"ResultVerdict">;
export type Interval = Wire<"IntervalBody">;
export type Effect = Wire<"EffectBody">;
export type MetricArm = Wire<"MetricArmBody">;
export type Metric = Wire<"MetricBody">;
export type SeenArm = Wire<"ArmBody">;
export type Warning = Wire<"ResultWarning">;
export type ExperimentResults = Wire<"ExperimentResultsBody">;

/** What an experiment and a holdout have in common. */
export type Seen = Wire<"Seen"> & { readonly environment: string };

const REFRESH_MS = 30_000;

const shared = {
  refetchInterval: REFRESH_MS,
  // Another metric is asked for while the people of before stay on the screen.
  placeholderData: keepPreviousData,
};

export const experimentResultsQuery = (environment: string, key: string, search: ResultsSearch) =>
  queryOptions({
    ...shared,
    queryKey: [...environmentKey(environment), "results", "experiments", key, search],
    queryFn: () =>
      api.get("/api/admin/v1/experiments/{key}/results", {
        path: { key },
        query: { ...search, environment },
      }),
    enabled: environment !== "",
  });

export const holdoutResultsQuery = (environment: string, key: string, search: ResultsSearch) =>
  queryOptions({
    ...shared,
    queryKey: [...environmentKey(environment), "results", "holdouts", key, search],
    queryFn: () =>
      api.get("/api/admin/v1/holdouts/{key}/results", {
        path: { key },
        query: { ...search, environment },
      }),
    enabled: environment !== "",
  });

/** Names to choose from; so many that another can only be typed are never needed. */
export const metricNamesQuery = (environment: string) =>
  queryOptions({
    queryKey: [...environmentKey(environment), "metrics"],
    queryFn: async () => {
      const { items } = await api.get("/api/admin/v1/environments/{environment}/metrics", {
        path: { environment },
        query: { limit: 200 },
      });
      return items.map(({ name }) => name);
    },
    enabled: environment !== "",
    staleTime: 60_000,
  });
