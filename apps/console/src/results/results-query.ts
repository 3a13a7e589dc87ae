import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { readAdmin } from "../api/admin";
import type { MetricKind } from "../configuration/document/document";
import { environmentKey } from "../configuration/document/flags-document";
import { type ResultsSearch, resultsParameters } from "./results-search";

export type Verdict = "no_data" | "not_yet" | "better" | "worse";

export interface Interval {
  readonly low: number;
  readonly high: number;
}

interface Test {
  readonly interval: Interval;
  readonly pValue: number;
}

export interface Effect {
  readonly value: number;
  readonly standardError: number;
  /** Valid however often it is read. */
  readonly always: Test;
}

export interface MetricArm {
  readonly arm: string;
  readonly units: number;
  /** People with a value; the others count as 0. */
  readonly reported: number;
  readonly mean: number;
  readonly comparison?: {
    readonly verdict: Verdict;
    readonly difference: Effect;
    /** As a share of the baseline's mean. */
    readonly lift?: Effect;
  };
}

export interface Metric {
  readonly name: string;
  /** By the configuration: what the address says of goal and measure does not count. */
  readonly declared: boolean;
  /** Which way is better. */
  readonly direction: "increase" | "decrease";
  readonly kind: MetricKind;
  readonly unit?: string;
  readonly baseline: string;
  /** What the same people did in the 14 days before was taken out (CUPED). */
  readonly adjusted: boolean;
  readonly arms: readonly MetricArm[];
}

export interface SeenArm {
  readonly arm: string;
  readonly weight: number;
  readonly units: number;
}

export type Warning = "sample_ratio_mismatch" | "multiple_exposures";

/** What an experiment and a holdout have in common. */
export interface Seen {
  readonly environment: string;
  readonly asOf: string;
  /** Of the participation shown; absent where there is none. */
  readonly firstAt?: string;
  readonly lastAt?: string;
  readonly arms: readonly SeenArm[];
  readonly units: number;
  readonly sampleRatio?: {
    readonly pValue: number;
    readonly enough: boolean;
    readonly mismatch: boolean;
  };
  readonly multipleExposures: { readonly units: number; readonly share: number };
  readonly metric?: Metric;
  readonly warnings: readonly Warning[];
}

export interface ExperimentResults extends Seen {
  readonly experiment: string;
  /** Absent where the configuration does not have the experiment any more. */
  readonly flag?: string;
  readonly status?: "draft" | "running" | "stopped" | "shipped";
  readonly phase: number;
  /** Of which there are exposures. */
  readonly phases: readonly number[];
}

export interface HoldoutResults extends Seen {
  readonly holdout: string;
  readonly status?: "draft" | "running" | "analysis" | "ended";
}

const REFRESH_MS = 30_000;

function resultsQuery<T extends Seen>(
  subject: "experiments" | "holdouts",
  environment: string,
  key: string,
  search: ResultsSearch,
) {
  const asked = resultsParameters(search, environment);
  return queryOptions({
    queryKey: [...environmentKey(environment), "results", subject, key, String(asked)],
    queryFn: () => readAdmin<T>(`/${subject}/${encodeURIComponent(key)}/results?${asked}`),
    enabled: environment !== "",
    refetchInterval: REFRESH_MS,
    // Another metric is asked for while the people of before stay on the screen.
    placeholderData: keepPreviousData,
  });
}

/** Names to choose from; so many that another can only be typed are never needed. */
export const metricNamesQuery = (environment: string) =>
  queryOptions({
    queryKey: [...environmentKey(environment), "metrics"],
    queryFn: async () => {
      const { items } = await readAdmin<{ readonly items: readonly { readonly name: string }[] }>(
        `/environments/${encodeURIComponent(environment)}/metrics?limit=200`,
      );
      return items.map(({ name }) => name);
    },
    enabled: environment !== "",
    staleTime: 60_000,
  });

export const experimentResultsQuery = (environment: string, key: string, search: ResultsSearch) =>
  resultsQuery<ExperimentResults>("experiments", environment, key, search);

export const holdoutResultsQuery = (environment: string, key: string, search: ResultsSearch) =>
  resultsQuery<HoldoutResults>("holdouts", environment, key, search);
