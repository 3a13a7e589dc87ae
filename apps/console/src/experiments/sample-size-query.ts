import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";
import type { Flag, FlagsDocument } from "../configuration/document/document";
import { environmentKey } from "../configuration/document/flags-document";
import { goalMetric } from "../configuration/metrics/roles";
import { type Draft, shareOf, weightsOf } from "./draft";

interface Planned {
  readonly unit: string;
  readonly metric: string;
  readonly effect: number;
  readonly weights: string;
  readonly share: number;
  readonly rate?: number;
}

/** Returns the parameters for the sample size; undefined while the form is incomplete. */
export function plannedBy(
  document: FlagsDocument,
  flag: Flag | undefined,
  draft: Draft,
  rate: number,
): Planned | undefined {
  const goal = goalMetric(document, draft);
  const share = shareOf(draft);
  if (!flag || !goal?.key || !(draft.minimumEffect > 0) || !(share > 0)) return undefined;
  const weights = weightsOf(draft, flag);
  if (weights.length < 2) return undefined;
  const isExpected = goal.kind === "conversion" && rate > 0 && rate < 100;
  return {
    unit: draft.unit,
    metric: goal.key,
    effect: draft.minimumEffect / 100,
    weights: weights.join(","),
    share: Math.min(share, 1),
    ...(isExpected && { rate: rate / 100 }),
  };
}

export const sampleSizeQuery = (environment: string, planned: Planned | undefined) =>
  queryOptions({
    queryKey: [...environmentKey(environment), "sample-size", planned],
    queryFn: () =>
      api.get("/api/admin/v1/environments/{environment}/sample-size", {
        path: { environment },
        // The query is disabled while `planned` is undefined.
        query: planned as Planned,
      }),
    enabled: environment !== "" && planned !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
