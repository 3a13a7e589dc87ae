import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";

/** The content of one version, which never changes. */
export const versionQuery = (environment: string, version: number) =>
  queryOptions({
    queryKey: ["version", environment, version],
    queryFn: () =>
      api.get("/api/admin/v1/environments/{environment}/versions/{version}", {
        path: { environment, version },
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });
