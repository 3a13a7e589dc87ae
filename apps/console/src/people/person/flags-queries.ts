import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client";
import { evaluationAttributes, type FlagsSearch } from "./flags-search";

/** What an application would get for this person now. The request records no exposure. */
export const evaluationsQuery = (environment: string, userId: string, given: FlagsSearch["with"]) =>
  queryOptions({
    queryKey: ["person", userId, "flags", environment, given ?? {}],
    queryFn: () =>
      api.post("/api/admin/v1/environments/{environment}/evaluate", {
        path: { environment },
        body: { attributes: evaluationAttributes(userId, given) },
      }),
    placeholderData: keepPreviousData,
  });
