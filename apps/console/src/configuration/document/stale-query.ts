import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client";
import type { Wire } from "../../api/wire";
import { environmentKey } from "./flags-document";

export type StaleFlag = Wire<"StaleFlag">;

export const staleQuery = (environment: string) =>
  queryOptions({
    queryKey: [...environmentKey(environment), "stale"],
    queryFn: () =>
      api.get("/api/admin/v1/environments/{environment}/stale", { path: { environment } }),
    enabled: environment !== "",
    staleTime: 60_000,
  });
