import { queryOptions } from "@tanstack/react-query";
import { readAdmin } from "../api/admin";
import type { FlagsDocument } from "../configuration/document/document";

/** What was saved as one version: it never changes. */
export const versionQuery = (environment: string, version: number) =>
  queryOptions({
    queryKey: ["version", environment, version],
    queryFn: () =>
      readAdmin<FlagsDocument>(
        `/environments/${encodeURIComponent(environment)}/versions/${version}`,
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
