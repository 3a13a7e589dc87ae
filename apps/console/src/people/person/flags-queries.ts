import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { changeAdmin } from "../../api/admin";
import { evaluationAttributes, type FlagsSearch } from "./flags-search";
import type { Evaluation } from "./trace";

export interface Evaluations {
  readonly version: number;
  readonly flags: Readonly<Record<string, Evaluation>>;
}

/** What an application would get for this person now. Asking counts nowhere. */
export const evaluationsQuery = (environment: string, userId: string, given: FlagsSearch["with"]) =>
  queryOptions({
    queryKey: ["person", userId, "flags", environment, given ?? {}],
    queryFn: () =>
      changeAdmin<Evaluations>(`/environments/${encodeURIComponent(environment)}/evaluate`, {
        method: "POST",
        body: { attributes: evaluationAttributes(userId, given) },
      }),
    placeholderData: keepPreviousData,
  });
