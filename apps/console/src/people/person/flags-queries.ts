import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client";
import { evaluationAttributes, type FlagsSearch } from "./flags-search";

/** What an application would get for this person now. The request records no exposure. */
export const evaluationsQuery = (
  environment: string,
  userId: string,
  attributes: FlagsSearch["with"],
) =>
  queryOptions({
    queryKey: ["person", userId, "flags", environment, attributes ?? {}],
    queryFn: () =>
      api.post("/api/admin/v1/environments/{environment}/evaluate", {
        path: { environment },
        body: { attributes: evaluationAttributes(userId, attributes) },
      }),
    placeholderData: keepPreviousData,
  });
