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
export type ResultsArm = Wire<"ArmBody">;
export type Warning = Wire<"ResultWarning">;
export type ExperimentResults = Wire<"ExperimentResultsBody">;

export type Daily = Wire<"DailyResultsBody">;

/** The common part of the results of experiments and holdouts. */
export type PeriodResults = Wire<"PeriodResults"> & { readonly environment: string };

/** The experiment or holdout that the results belong to. */
export interface Subject {
  readonly kind: "experiments" | "holdouts";
  readonly key: string;
}

const REFRESH_MS = 30_000;
/** The server counts again when an old result is read, so the next read returns a new one. */
const UPDATE_MS = 2_000;

/** Whether a result is older than it says. The clocks may differ by some seconds. */
export const isOld = (asOf: string, now = Date.now()): boolean =>
  now - Date.parse(asOf) > REFRESH_MS + 5_000;

interface Refreshed {
  readonly state: { readonly data?: { readonly asOf: string } | undefined };
}

const shared = {
  refetchInterval: ({ state: { data } }: Refreshed) =>
    data && isOld(data.asOf) ? UPDATE_MS : REFRESH_MS,
  // While another metric loads, the former number of people remains on the screen.
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

/** The results of another metric than the one on the page. */
export const periodResultsQuery = (
  environment: string,
  { kind, key }: Subject,
  search: ResultsSearch,
) =>
  queryOptions({
    ...shared,
    queryKey: [...environmentKey(environment), "results", kind, key, search],
    queryFn: (): Promise<PeriodResults> => {
      const request = { path: { key }, query: { ...search, environment } };
      return kind === "experiments"
        ? api.get("/api/admin/v1/experiments/{key}/results", request)
        : api.get("/api/admin/v1/holdouts/{key}/results", request);
    },
    enabled: environment !== "",
  });

/** The difference at the end of each day, and the expected time until a result. */
export const dailyQuery = (environment: string, { kind, key }: Subject, search: ResultsSearch) =>
  queryOptions({
    queryKey: [...environmentKey(environment), "results", kind, key, "daily", search],
    queryFn: () => {
      const request = { path: { key }, query: { ...search, environment } };
      return kind === "experiments"
        ? api.get("/api/admin/v1/experiments/{key}/results/daily", request)
        : api.get("/api/admin/v1/holdouts/{key}/results/daily", request);
    },
    enabled: environment !== "",
    staleTime: REFRESH_MS,
    placeholderData: keepPreviousData,
  });

/** The first 200 metric names, to choose from. Others can be typed. */
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
