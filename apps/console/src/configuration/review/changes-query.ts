import { queryOptions } from "@tanstack/react-query";
import { api, queryOf } from "../../api/client";
import { pagesQuery } from "../../api/pages";
import type { Wire } from "../../api/wire";
import { environmentKey } from "../document/flags-document";

export type PlannedChange = Wire<"ChangeBody">;

const ENVIRONMENT = "/api/admin/v1/environments/{environment}";

/** Below the environment's key, so that a change of the environment makes these queries stale. */
const within = <Query extends object>(environment: string, name: string, query: Query) => ({
  ...query,
  queryKey: [...environmentKey(environment), name] as const,
  enabled: environment !== "",
});

export const changesQuery = (environment: string) =>
  within(environment, "changes", pagesQuery(`${ENVIRONMENT}/changes`, { path: { environment } }));

export const versionsQuery = (environment: string, flag?: string, author?: string) => {
  const query = { ...(flag && { flag }), ...(author && { author }) };
  const pages = pagesQuery(`${ENVIRONMENT}/versions`, { path: { environment }, query });
  return within(environment, `versions?${queryOf(query)}`, pages);
};

export const changeQuery = (environment: string, id: string) =>
  queryOptions({
    queryKey: [...environmentKey(environment), "changes", id],
    queryFn: () => api.get(`${ENVIRONMENT}/changes/{id}`, { path: { environment, id } }),
  });

export const cancelChange = (environment: string, id: string) =>
  api.delete(`${ENVIRONMENT}/changes/{id}`, { path: { environment, id } });
